import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { databasePath } from "./store-fixture.ts";

const WORKERS = 4;
const ROUNDS = 30;
const ALL_ENDED_WELL = Array.from({ length: WORKERS }, () => 0);

/** Simultaneous connections to each file. */
async function openTogether(paths: readonly string[]): Promise<readonly unknown[]> {
  const gate = new Int32Array(new SharedArrayBuffer(8));
  const workers = Array.from(
    { length: WORKERS },
    () =>
      new Worker(join(import.meta.dirname, "open-together.worker.ts"), {
        workerData: { paths, gate, workers: WORKERS },
        execArgv: ["--no-warnings", "--conditions=caliban:source"],
      }),
  );
  return await Promise.all(
    workers.map(async (worker) => ((await once(worker, "exit")) as unknown[])[0]),
  );
}

async function freshPaths(content?: string): Promise<readonly string[]> {
  const path = await databasePath();
  await mkdir(dirname(path));
  const paths = Array.from({ length: ROUNDS }, (_, round) => `${path}.${round}`);
  if (content !== undefined) await Promise.all(paths.map((each) => writeFile(each, content)));
  return paths;
}

it(
  "creates a new file once, however many threads open it at the same time",
  { timeout: 60_000 },
  async () => {
    expect(await openTogether(await freshPaths())).toEqual(ALL_ENDED_WELL);
  },
);

it("replaces a damaged file once, however many threads find it", { timeout: 60_000 }, async () => {
  const paths = await freshPaths("no database ".repeat(400));
  expect(await openTogether(paths)).toEqual(ALL_ENDED_WELL);
  const names = await readdir(dirname(paths[0] ?? ""));
  expect(names.filter((name) => name.includes(".damaged-"))).toHaveLength(ROUNDS);
});
