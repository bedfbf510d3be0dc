import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CurrentGeneration } from "../../../src/generation/generations.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { type GenerationsFixture, createFixture } from "./generations-fixture.ts";
import { newGeneration, skill } from "./new-generation.ts";
import { RUNTIME } from "../../../../../test/support/runtime.ts";

const run = promisify(execFile);
const CRASHING = join(import.meta.dirname, "crash-in-generations.process.ts");
/** Kills per change in addition to the first and the last system call; at every call with FULL=1. */
const SAMPLED_KILLS = 4;
const FULL = process.env["FULL"] === "1";

describe("a process that is killed in the middle of a change", () => {
  it.for([
    ["write", 40],
    ["undo", 8],
    ["clear", 6],
  ] as const)(
    "leaves the old or the new generation complete during %s, and the next writer recovers",
    { timeout: 120_000 },
    async ([change, minSteps]) => {
      const steps = await countSteps(change);
      expect(steps).toBeGreaterThan(minSteps);
      const outcomes = new Set<string>();
      for (const step of killPoints(steps)) outcomes.add(await killAt(change, step));
      expect([...outcomes].toSorted()).toEqual(["new", "old"]);
    },
  );
});

describe("a process that is killed while it rejects a candidate", () => {
  it("leaves the old generation current", { timeout: 120_000 }, async () => {
    const steps = await countSteps("reject");
    expect(steps).toBeGreaterThan(30);
    const outcomes = new Set<string>();
    for (const step of killPoints(steps)) outcomes.add(await killAt("reject", step));
    expect([...outcomes]).toEqual(["old"]);
  });
});

type Change = "write" | "undo" | "clear" | "reject";

const NEW: Readonly<Record<Change, string | undefined>> = {
  write: "- new\n",
  undo: "- first\n",
  clear: undefined,
  reject: "never",
};

function killPoints(steps: number): readonly number[] {
  if (FULL) return Array.from({ length: steps }, (_, step) => step);
  const [sampled = []] = fc.sample(
    fc.uniqueArray(fc.integer({ min: 1, max: steps - 2 }), {
      minLength: SAMPLED_KILLS,
      maxLength: SAMPLED_KILLS,
    }),
    1,
  );
  return [0, ...sampled, steps - 1];
}

async function countSteps(change: Change): Promise<number> {
  const { directory } = await prepared();
  const { stdout } = await runChange(directory, change, -1);
  return Number(stdout);
}

async function killAt(change: Change, step: number): Promise<"old" | "new"> {
  const fixture = await prepared();
  await expect(runChange(fixture.directory, change, step)).rejects.toMatchObject({
    signal: "SIGKILL",
    stderr: "",
  });
  const now = await fixture.generations.read();
  const isNew = now?.memoryMd === NEW[change];
  expectComplete(now, isNew ? NEW[change] : "- old\n");
  await expectRecovery(fixture);
  return isNew ? "new" : "old";
}

async function prepared(): Promise<GenerationsFixture> {
  const fixture = await createFixture();
  for (const name of ["first", "old"]) await fixture.generations.write(newGeneration(memory(name)));
  return fixture;
}

function memory(name: string): Parameters<typeof newGeneration>[0] {
  return { memoryMd: `- ${name}\n`, memorySummary: `- ${name}\n`, skills: [skill(name)] };
}

async function runChange(
  directory: string,
  change: Change,
  step: number,
): Promise<{ readonly stdout: string }> {
  const args = ["--conditions=caliban:source", CRASHING, directory, change, String(step)];
  return await run(RUNTIME, args);
}

/** All parts are from the same generation. */
function expectComplete(now: CurrentGeneration | undefined, text: string | undefined): void {
  expect(now?.memoryMd).toBe(text);
  expect(now?.memorySummary).toBe(text);
  expect(now?.skills.map(({ name }) => `- ${name}\n`)).toEqual(text && [text]);
  expect(now?.handEdits ?? []).toEqual([]);
}

/** The next writer takes the lock of the dead process long before it would count as stale, and cleans up. */
async function expectRecovery(fixture: GenerationsFixture): Promise<void> {
  const impatient = createGenerations({
    directory: fixture.directory,
    lockTiming: { timeoutMs: 5_000 },
  });
  expect(await impatient.write(newGeneration(memory("later")))).toMatchObject({
    kind: "written",
  });
  const names = fixture.names();
  expect(names.filter((name) => !name.startsWith("generations"))).toEqual(["current"]);
  expect(names.filter((name) => /^generations\/\d+$/.test(name)).length).toBeLessThanOrEqual(3);
  expectComplete(await fixture.generations.read(), "- later\n");
}
