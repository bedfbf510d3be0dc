import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { childEnvironment } from "../../../../test/support/child-environment.ts";
import { RUNTIME } from "../../../../test/support/runtime.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { FILES, openStoredSession, prepareSession } from "./stored-session.ts";

const run = promisify(execFile);
const PROCESS = join(import.meta.dirname, "rewind.process.ts");
/** Kills in addition to the first and the last system call; at every call with FULL=1. */
const SAMPLED_KILLS = 6;

it(
  "a rewind that is killed anywhere loses nothing, can be repeated without a question, and undone",
  { timeout: 240_000 },
  async () => {
    const steps = await countSteps();
    expect(steps).toBeGreaterThan(25);
    for (const step of killPoints(steps)) await killAt(step);
  },
);

function killPoints(steps: number): readonly number[] {
  if (process.env["FULL"] === "1") return Array.from({ length: steps }, (_, step) => step);
  const [sampled = []] = fc.sample(
    fc.uniqueArray(fc.integer({ min: 1, max: steps - 2 }), {
      minLength: SAMPLED_KILLS,
      maxLength: SAMPLED_KILLS,
    }),
    1,
  );
  return [0, ...sampled, steps - 1];
}

async function rewindIn(home: string, killAtStep: number): Promise<number> {
  const args = ["--conditions=caliban:source", PROCESS, home, String(killAtStep)];
  const { stdout } = await run(RUNTIME, args, { env: childEnvironment(home) });
  return Number(stdout);
}

async function prepared(): Promise<string> {
  const home = await temporaryDirectory();
  await prepareSession(home);
  return home;
}

async function countSteps(): Promise<number> {
  return await rewindIn(await prepared(), -1);
}

async function killAt(step: number): Promise<void> {
  const home = await prepared();
  await expect(rewindIn(home, step)).rejects.toMatchObject({ signal: "SIGKILL" });
  const root = join(home, "app");
  const contents = allTexts(home);
  for (const [name, before, after] of FILES) {
    expect([before, after, undefined]).toContain(read(join(root, name)));
    expect(contents).toContain(after);
  }

  const session = await openStoredSession(home);
  const asked = (await session.stepsTo("m1")).filter((each) => each.step === "ask");
  expect([step, asked]).toEqual([step, []]);
  const { failed } = await session.rewind("m1");
  expect(failed).toEqual([]);
  for (const [name, before] of FILES) expect(read(join(root, name))).toBe(before);

  await session.rewind("r1");
  for (const [name, , after] of FILES) expect(read(join(root, name))).toBe(after);
  await session.close();
}

/** The texts of all files below a directory. */
function allTexts(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
