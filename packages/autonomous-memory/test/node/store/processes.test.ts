import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { MAX_ATTEMPTS } from "../../../src/store/pipeline-store.ts";
import {
  claim,
  databasePath,
  LEASE_MS,
  NOW,
  openStore,
  query,
  register,
  session,
} from "./store-fixture.ts";
import { RUNTIME } from "../../../../../test/support/runtime.ts";

const run = promisify(execFile);
const CLAIMER = join(import.meta.dirname, "claim-sessions.process.ts");
const PROCESSES = 8;

async function claimInProcess(
  path: string,
  nowMs: number,
  mode: "finish" | "die",
): Promise<readonly string[]> {
  const { stdout } = await run(RUNTIME, [
    "--no-warnings",
    "--conditions=caliban:source",
    CLAIMER,
    path,
    String(nowMs),
    mode,
  ]);
  return JSON.parse(stdout) as readonly string[];
}

const claimInProcesses = async (path: string): Promise<readonly (readonly string[])[]> =>
  await Promise.all(
    Array.from({ length: PROCESSES }, async () => await claimInProcess(path, NOW, "finish")),
  );

it("gives eight processes disjoint sessions, and none is left", { timeout: 60_000 }, async () => {
  const path = await databasePath();
  const store = await openStore(path);
  const ids = Array.from({ length: 400 }, (_, index) => `s${index}`);
  register(
    store,
    ids.map((id) => session(id)),
  );
  const got = await claimInProcesses(path);
  expect(got.flat().toSorted()).toEqual(ids.toSorted());
  expect(store.consolidations.extractions("p", 9)).toHaveLength(ids.length);
});

it("can be created by eight processes at the same time", { timeout: 60_000 }, async () => {
  const path = await databasePath();
  expect(await claimInProcesses(path)).toEqual(Array.from({ length: PROCESSES }, () => []));
  expect(await readdir(dirname(path))).toEqual(["memories.sqlite"]);
});

it(
  "counts the attempts of killed processes after their leases expire",
  { timeout: 60_000 },
  async () => {
    const path = await databasePath();
    const store = await openStore(path);
    register(store, [session("a")]);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const nowMs = NOW + attempt * LEASE_MS;
      await expect(claimInProcess(path, nowMs, "die")).rejects.toMatchObject({ signal: "SIGKILL" });
      expect(store.extractions.count(query({ nowMs })).running).toBe(1);
      // No other process gets it before the lease ends.
      expect(claim(store, { nowMs: nowMs + LEASE_MS - 1 })).toBeUndefined();
    }
    const nowMs = NOW + MAX_ATTEMPTS * LEASE_MS;
    expect(claim(store, { nowMs })).toBeUndefined();
    expect(store.admin.stats(query({ nowMs })).failures).toMatchObject([
      { threadId: "a", errorClass: "crash", attempts: MAX_ATTEMPTS },
    ]);
  },
);
