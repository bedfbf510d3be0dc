import { afterAll, describe, expect, it } from "vitest";
import { ESCAPE_ATTEMPTS } from "../../../../../test/attack/sandbox-escapes.ts";
import { createSandboxHome, openSandboxHome, hasBubblewrap } from "../../support/sandbox-home.ts";
import { tryEscape } from "../../support/try-escape.ts";

describe.skipIf(!hasBubblewrap)("escape attempts", async () => {
  // One for all, because nothing in it ever changes.
  const home = hasBubblewrap ? await openSandboxHome({ mode: "on" }) : undefined;
  afterAll(() => home?.dispose());

  it("tries at least 60 escapes, on eight surfaces", () => {
    expect(ESCAPE_ATTEMPTS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ESCAPE_ATTEMPTS.map(({ surface }) => surface)).size).toBe(8);
  });

  it.for(ESCAPE_ATTEMPTS)("prevents $surface: $title", async (each) => {
    if (home === undefined) throw new Error("skipped");
    expect(await tryEscape(home, each, "accept-edits")).toMatchObject({ escaped: [] });
  });

  // Otherwise an attempt could fail for reasons that have nothing to do with the sandbox.
  const sample = ESCAPE_ATTEMPTS.filter(({ isUnsafe }) => isUnsafe !== true).filter(
    (_, index) => process.env["FULL"] === "1" || index % 8 === 0,
  );
  it.for(sample)(
    "shows that the same succeeds without a sandbox: $surface: $title",
    async (each) => {
      const { escaped } = await tryEscape(await createSandboxHome({ mode: "off" }), each, "yolo");
      expect(escaped).not.toEqual([]);
    },
  );
});
