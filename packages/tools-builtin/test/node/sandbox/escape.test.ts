import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import {
  createSandboxHome,
  openSandboxHome,
  hasBubblewrap,
  SECRET,
  type SandboxHome,
} from "../../support/sandbox-home.ts";
import { ESCAPE_ATTEMPTS, type EscapeAttempt } from "./escape-attempts.ts";

interface Outcome {
  readonly text: string;
  readonly escaped: readonly string[];
}

/** Runs an attempt and finds what it achieved. */
async function attempt(
  home: SandboxHome,
  { command, settleMs = 0 }: EscapeAttempt,
  mode: "accept-edits" | "yolo",
): Promise<Outcome> {
  const before = home.snapshot();
  const { text } = await home.run(command, { mode });
  await pause(settleMs);
  const escaped = [
    ...(text.includes(SECRET) || text.includes("[masked]") ? ["read a secret"] : []),
    ...changedLines(before, home.snapshot()),
    ...(home.connections() === 0 ? [] : ["reached a service"]),
    ...(home.isCanaryAlive() ? [] : ["killed a process"]),
  ];
  return { text, escaped };
}

function changedLines(before: string, after: string): readonly string[] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  return [
    ...old.filter((line) => !current.includes(line)).map((line) => `lost ${line}`),
    ...current.filter((line) => !old.includes(line)).map((line) => `found ${line}`),
  ];
}

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
    emptyDirectory(join(home.root, "work"));
    expect(await attempt(home, each, "accept-edits")).toMatchObject({ escaped: [] });
  });

  // Otherwise an attempt could fail for reasons that have nothing to do with the sandbox.
  const sample = ESCAPE_ATTEMPTS.filter(({ isUnsafe }) => isUnsafe !== true).filter(
    (_, index) => process.env["FULL"] === "1" || index % 8 === 0,
  );
  it.for(sample)(
    "shows that the same succeeds without a sandbox: $surface: $title",
    async (each) => {
      const { escaped } = await attempt(await createSandboxHome({ mode: "off" }), each, "yolo");
      expect(escaped).not.toEqual([]);
    },
  );
});

/** What earlier attempts left must not get in the way. */
function emptyDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  writeFileSync(join(directory, "a.txt"), "a\n");
}
