import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { openSnapshot } from "../../../src/search/live-index/snapshot.ts";
import { readSnapshotFile } from "../../../src/node/search/snapshot-file.ts";
import { cacheHome } from "./cache-home.ts";
import { RUNTIME } from "../../../../../test/support/runtime.ts";

const PROGRAM = join(import.meta.dirname, "search-often.process.ts");
const SOURCES = [{ name: "topics" }];

function start(...given: readonly string[]): ChildProcess {
  const child = spawn(RUNTIME, ["--conditions=caliban:source", PROGRAM, ...given]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

it(
  "keeps the index correct for eight processes that search and write at once, some of which are killed",
  { timeout: 60_000 },
  async () => {
    const home = await cacheHome();
    await mkdir(home.topics, { recursive: true });
    const all = Array.from({ length: 8 }, (_, at) =>
      start(home.topics, home.file, `${at}`, at < 5 ? "12" : "1000"),
    );
    const [steady, doomed] = [all.slice(0, 5), all.slice(5)];
    const problems = steady.map(async ({ stderr }) => (stderr === null ? "" : await text(stderr)));
    for (const { stdout } of steady) stdout?.resume();
    // Whether each snapshot seen was complete, although processes write it and are killed.
    const areWhole: boolean[] = [];
    for (const [at, child] of doomed.entries()) {
      const { stdout } = child;
      if (stdout !== null) await once(stdout, "data");
      await setTimeout(7 * at);
      child.kill("SIGKILL");
    }
    // At least once, even if all have ended by now.
    let isRunning = true;
    while (isRunning) {
      isRunning = steady.some(({ exitCode }) => exitCode === null);
      const bytes = readSnapshotFile(home.file);
      if (bytes !== undefined) areWhole.push(openSnapshot(bytes, SOURCES) !== undefined);
      await setTimeout(5);
    }
    expect(await Promise.all(problems)).toEqual(["", "", "", "", ""]);
    expect(steady.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0]);
    expect(new Set(areWhole)).toEqual(new Set([true]));
    expect(existsSync(home.file) && readFileSync(home.file).length > 0).toBe(true);
    const [kept, rebuilt] = [home.open(), home.open({ file: undefined })];
    const found = await kept.find("oven");
    expect(found).toEqual(await rebuilt.find("oven"));
    expect(found.length).toBeGreaterThanOrEqual(50);
  },
);
