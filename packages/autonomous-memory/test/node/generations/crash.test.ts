import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { CurrentGeneration } from "../../../src/generation/generations.ts";
import { temporaryDirectoryOfFile } from "../../../../../test/support/temporary-directory.ts";
import { type GenerationsHome, generationsHome } from "./generations-home.ts";
import { newGeneration, skill } from "./new-generation.ts";

const run = promisify(execFile);
const CRASHING = join(import.meta.dirname, "crash-in-generations.process.ts");
/** More than any change makes system calls. */
const MOST_STEPS = 120;
/** As many children at a time as there are likely to be processors. */
const AT_ONCE = 2;

const cache = await temporaryDirectoryOfFile();

describe("a process that is killed in the middle of a change", () => {
  it.for([
    ["write", 40],
    ["undo", 8],
    ["clear", 6],
  ] as const)(
    "%s: before any system call it leaves old or new, whole, and the next writer leaves nothing else",
    { timeout: 120_000 },
    async ([change, leastSteps]) => {
      let steps = 0;
      const outcomes = new Set<string>();
      for (let isOver = false; !isOver && steps < MOST_STEPS; steps += AT_ONCE) {
        const tried = await Promise.all(
          Array.from({ length: AT_ONCE }, (_, index) => killedAt(change, steps + index)),
        );
        isOver = tried.includes("survived");
        for (const outcome of tried) outcomes.add(outcome);
      }
      expect(steps).toBeGreaterThan(leastSteps);
      expect(steps).toBeLessThan(MOST_STEPS);
      expect([...outcomes].toSorted()).toEqual(["new", "old", "survived"]);
    },
  );
});

type Change = "write" | "undo" | "clear";

const NEW: Readonly<Record<Change, string | undefined>> = {
  write: "- new\n",
  undo: "- first\n",
  clear: undefined,
};

async function killedAt(change: Change, step: number): Promise<"old" | "new" | "survived"> {
  const home = await generationsHome();
  for (const name of ["first", "old"]) await home.generations.write(newGeneration(memory(name)));
  if (await survives(home.directory, change, step)) return "survived";
  const now = await home.generations.read();
  const isNew = now?.memoryMd === NEW[change];
  expectWhole(now, isNew ? NEW[change] : "- old\n");
  await expectHealed(home);
  return isNew ? "new" : "old";
}

function memory(name: string): Parameters<typeof newGeneration>[0] {
  return { memoryMd: `- ${name}\n`, memorySummary: `- ${name}\n`, skills: [skill(name)] };
}

async function survives(directory: string, change: Change, step: number): Promise<boolean> {
  const child = run(
    process.execPath,
    ["--conditions=caliban:source", CRASHING, directory, change, String(step)],
    { env: { ...process.env, NODE_COMPILE_CACHE: cache } },
  );
  try {
    return (await child).stdout === "survived";
  } catch (error) {
    expect(error).toMatchObject({ signal: "SIGKILL", stderr: "" });
    return false;
  }
}

/** All parts are of one generation. */
function expectWhole(now: CurrentGeneration | undefined, text: string | undefined): void {
  expect(now?.memoryMd).toBe(text);
  expect(now?.memorySummary).toBe(text);
  expect(now?.skills.map(({ name }) => `- ${name}\n`)).toEqual(text && [text]);
  expect(now?.handEdits ?? []).toEqual([]);
}

/** After the next write: the lock is free, and nothing lies about. */
async function expectHealed(home: GenerationsHome): Promise<void> {
  const started = performance.now();
  expect(await home.generations.write(newGeneration(memory("later")))).toMatchObject({
    kind: "written",
  });
  expect(performance.now() - started).toBeLessThan(2_000);
  const names = home.names();
  expect(names.filter((name) => !name.startsWith("generations"))).toEqual(["current"]);
  expect(names.filter((name) => name.startsWith("generations/")).length).toBeLessThanOrEqual(3);
  expectWhole(await home.generations.read(), "- later\n");
}
