import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeDisk } from "@caliban/common/node";
import { parseSessionId } from "@caliban/sessions";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { chooseStale } from "../../src/checkpoints/checkpoint-directory.ts";
import { openStoredSession } from "./stored-session.ts";

const HOUR_MS = 3_600_000;
const LIMITS = { fileBytes: 100, sessionBytes: 200, totalBytes: 1_000 };

function stored(number: number, bytes: number, ageHours: number) {
  const id = parseSessionId(`20261116-12000${number}-aaaa`);
  return { id, bytes, updatedMs: -ageHours * HOUR_MS };
}

describe("the sessions whose checkpoints are erased", () => {
  const all = [stored(1, 400, 9), stored(2, 400, 5), stored(3, 400, 0.5), stored(4, 400, 0.1)];
  it.each([
    { totalBytes: 1_600, keep: "", erased: [] },
    { totalBytes: 1_500, keep: "", erased: [1] },
    { totalBytes: 1_000, keep: "", erased: [1, 2] },
    { totalBytes: 1_000, keep: stored(1, 0, 0).id, erased: [2] },
    // A session that was used within the last hour may be running.
    { totalBytes: 0, keep: "", erased: [1, 2] },
  ])("are the oldest ones until $totalBytes bytes are left: $erased", (input) => {
    const { erased, ...limits } = input;
    const ids = chooseStale(all, { ...limits, nowMs: 0 }).map(({ id }) => id);
    expect(ids).toEqual(erased.map((number) => stored(number, 0, 0).id));
  });
});

describe("the limits of checkpoints", () => {
  it("reports a file that is too large, changes it, and says why it cannot go back", async () => {
    const session = await openStoredSession(await temporaryDirectory(), { limits: LIMITS });
    writeFileSync(join(session.root, "big.txt"), "x".repeat(101));
    await session.turn("first", [["big.txt", "small"]]);
    expect(session.notices).toEqual([
      "big.txt is changed without a checkpoint, because it is larger than 0.0001 MB. /rewind cannot bring back what it was.",
    ]);
    expect(await session.stepsTo("m1")).toMatchObject([
      { step: "blocked", reason: "it was too large to be saved" },
    ]);
    expect(readFileSync(join(session.root, "big.txt"), "utf8")).toBe("small");
    await session.close();
  });

  it("keeps what is saved when the session is full, and reports the first file without room", async () => {
    const session = await openStoredSession(await temporaryDirectory(), { limits: LIMITS });
    const files = ["a", "b", "c"].map((name) => [name, `new ${name}`] as const);
    for (const [name] of files) writeFileSync(join(session.root, name), name.repeat(90));
    await session.turn("first", files);
    expect(session.notices).toEqual([expect.stringMatching(/^c is changed without a checkpoint/)]);
    const steps = await session.stepsTo("m1");
    expect(steps.map(({ step }) => step)).toEqual(["restore", "restore", "blocked"]);
    await session.close();
  });

  it("erases the checkpoints of old sessions with a notice", async () => {
    const home = await temporaryDirectory();
    const old = join(home, "checkpoints", "20200101-120000-aaaa");
    mkdirSync(join(old, "objects"), { recursive: true });
    writeFileSync(join(old, "objects", "x"), "x".repeat(2_000_000));
    const session = await openStoredSession(home, { limits: { ...LIMITS, totalBytes: 1_000_000 } });
    await session.turn("first", [["a", "new"]]);
    expect(session.notices).toEqual([
      "erased the checkpoints of 1 old session (2 MB), because checkpoints may take 1 MB in total. Their files cannot be rewound any more.",
    ]);
    expect(existsSync(old)).toBe(false);
    await session.close();
  });
});

describe("a full disk", () => {
  it("changes no file when what is there now cannot be saved, and works again with room", async () => {
    const home = await temporaryDirectory();
    let isFull = false;
    const full = async (): Promise<never> => {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    };
    const session = await openStoredSession(home, {
      disk: {
        ...nodeDisk,
        write: async (...args) => await (isFull ? full() : nodeDisk.write(...args)),
      },
    });
    const path = join(session.root, "a");
    writeFileSync(path, "old");
    await session.turn("first", [["a", "new"]]);
    isFull = true;
    expect((await session.rewind("m1")).failed).toEqual([
      { display: "a", reason: "what is there now cannot be saved first" },
    ]);
    expect(readFileSync(path, "utf8")).toBe("new");
    await session.turn("second", [["a", "newer"]]);
    expect(session.notices).toEqual([
      expect.stringContaining("a is changed without a checkpoint"),
      expect.stringContaining("the disk is full. Free some space"),
    ]);
    isFull = false;
    await session.turn("third", [["b", "new"]]);
    expect((await session.rewind("m1")).failed).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe("old");
    await session.close();
    const resumed = await openStoredSession(home);
    await resumed.rewind("r1");
    await resumed.close();
  });

  it("knows that earlier changes are lost when its directory is removed while it runs", async () => {
    const { rmSync } = await import("node:fs");
    const home = await temporaryDirectory();
    const session = await openStoredSession(home);
    writeFileSync(join(session.root, "a"), "old");
    await session.turn("first", [["a", "new"]]);
    await session.turn("second", [["a", "newer"]]);
    rmSync(join(home, "checkpoints"), { recursive: true });
    await session.turn("third", [["a", "newest"]]);
    await session.turn("fourth", [["a", "last"]]);
    await expect(session.stepsTo("m5")).rejects.toThrow("not saved then");
    await session.rewind("m7");
    expect(readFileSync(join(session.root, "a"), "utf8")).toBe("newest");
    await session.close();
  });
});
