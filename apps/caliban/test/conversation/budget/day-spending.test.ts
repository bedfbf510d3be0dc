import { execFile } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { openDaySpending } from "../../../src/conversation/budget/day-spending.ts";

const DAY = "2026-11-18";
const run = promisify(execFile);

it("counts every amount of several processes, in a private file", async () => {
  const directory = join(await temporaryDirectory(), "state");
  const script = join(import.meta.dirname, "add-spending.process.ts");
  const args = ["--conditions=caliban:source", "--no-warnings", script, directory, DAY];
  await Promise.all([1, 2, 3].map(() => run(process.execPath, args)));
  expect(openDaySpending(directory, DAY).read()).toBe(15 * 0.25);
  expect((await stat(join(directory, "spending.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

it("starts again on the next day", async () => {
  const directory = await temporaryDirectory();
  await openDaySpending(directory, DAY).add(3);
  expect(openDaySpending(directory, "2026-11-19").read()).toBe(0);
  expect(await openDaySpending(directory, "2026-11-19").add(1)).toBe(1);
});

it.for(["", "{", '{"day":"2026-11-18","dollars":"3"}', '{"day":"2026-11-18","dollars":-3}'])(
  "counts a damaged file as nothing spent: %j",
  async (text) => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "spending.json"), text);
    expect(openDaySpending(directory, DAY).read()).toBe(0);
    expect(await openDaySpending(directory, DAY).add(1)).toBe(1);
  },
);
