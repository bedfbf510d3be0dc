import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RUNTIME } from "../../../../../test/support/runtime.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { type Disk, nodeDisk } from "../../../src/node/disk.ts";
import { withLock } from "../../../src/node/lock/file-lock.ts";
import { renderLockRecord } from "../../../src/node/lock/lock-record.ts";
import { thisMachine } from "../../../src/node/lock/machine.ts";

const TAKER = join(import.meta.dirname, "take-over.process.ts");
/** More processes than fit into a file name. */
const KILLS = 8;

const { host, boot, pid, start } = thisMachine();
/** A process of this machine that does not exist. */
const DEAD = { host, boot, pid: 2 ** 22 + 1, start: "1" };
const ALIVE = { host, boot, pid, start };

async function freeLock(): Promise<string> {
  return join(await temporaryDirectory(), ".lock");
}

async function deadLock(): Promise<string> {
  const path = await freeLock();
  await writeFile(path, renderLockRecord({ ...DEAD, token: "dead" }));
  return path;
}

/** The files that are left after the lock was taken, which takes no longer than it would with one dead holder. */
async function filesAfterUse(path: string): Promise<readonly string[]> {
  await withLock({ path, timing: { timeoutMs: 2_000 } }, async () => undefined);
  return await readdir(dirname(path));
}

type Call = (name: keyof Disk, run: () => Promise<unknown>) => Promise<unknown>;

/** The real disk, with every call passed through a function. */
function diskThrough(call: Call): Disk {
  const wrap = <Args extends readonly unknown[], Result>(
    name: keyof Disk,
    method: (...args: Args) => Promise<Result>,
  ) => {
    return async (...args: Args): Promise<Result> =>
      (await call(name, () => method(...args))) as Result;
  };
  return {
    ...nodeDisk,
    create: wrap("create", nodeDisk.create),
    write: wrap("write", nodeDisk.write),
    close: wrap("close", nodeDisk.close),
    rename: wrap("rename", nodeDisk.rename),
    link: wrap("link", nodeDisk.link),
    unlink: wrap("unlink", nodeDisk.unlink),
  };
}

/** Starts to take the lock as a process that ends before one of its calls. */
async function dieAt(path: string, step: number, options: Partial<Disk> = {}): Promise<void> {
  let count = 0;
  const disk = diskThrough(async (_, run) => {
    if (count++ >= step) throw new Error("the process has ended");
    return await run();
  });
  const machine = { ...thisMachine(), ...DEAD };
  const input = { path, disk: { ...disk, ...options }, machine, timing: { staleAfterMs: 40 } };
  await withLock(input, async () => undefined).catch(() => undefined);
}

describe("takeOver", () => {
  it.for(["rename", "after rename"])(
    "takes over after many processes were killed one after another (%s)",
    { timeout: 60_000 },
    async (killAt) => {
      const path = await deadLock();
      for (let kill = 0; kill < KILLS; kill++) {
        const args = ["--conditions=caliban:source", TAKER, path, killAt];
        expect(spawnSync(RUNTIME, args, { encoding: "utf8" })).toMatchObject({
          signal: "SIGKILL",
          stdout: "",
        });
      }
      const names = await readdir(dirname(path));
      expect(Math.max(...names.map((name) => name.length))).toBeLessThan(60);
      expect(await filesAfterUse(path)).toEqual([]);
    },
  );

  it(
    "takes over after processes ended at any calls, in any order",
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 6 }), async (steps) => {
          const path = await deadLock();
          for (const step of steps) await dieAt(path, step);
          expect(await filesAfterUse(path)).toEqual([]);
        }),
        { numRuns: 60 },
      );
    },
  );

  it("takes over without hard links after processes ended at any calls", async () => {
    const link = (): Promise<never> =>
      Promise.reject(Object.assign(new Error("ENOTSUP"), { code: "ENOTSUP" }));
    for (let step = 0; step < 12; step++) {
      const path = await deadLock();
      for (let kill = 0; kill < 3; kill++) {
        await dieAt(path, step, { link });
        await delay(50);
      }
      const input = { path, disk: { ...nodeDisk, link }, timing: { staleAfterMs: 40 } };
      expect(await withLock(input, async () => "in")).toBe("in");
    }
  });

  it("lets only one of many processes take over after others ended in the middle", async () => {
    for (let step = 2; step < 8; step++) {
      const path = await deadLock();
      for (let kill = 0; kill < 3; kill++) await dieAt(path, step);
      let [inside, most] = [0, 0];
      const action = async (): Promise<void> => {
        most = Math.max(most, ++inside);
        await delay(1);
        inside--;
      };
      await Promise.all(Array.from({ length: 12 }, () => withLock({ path }, action)));
      expect(most).toBe(1);
      expect(await readdir(dirname(path))).toEqual([]);
    }
  });

  it("waits for a live process of version 0.0.0 that takes over", async () => {
    for (const nested of [".dead.dead", ".dead.dead.second.dead"]) {
      const path = await deadLock();
      await writeFile(`${path}.dead.dead`, renderLockRecord({ ...DEAD, token: "second" }));
      const guard = renderLockRecord({ ...ALIVE, token: "third" });
      await writeFile(`${path}${nested}`, guard);
      const attempt = withLock({ path, timing: { timeoutMs: 100 } }, async () => "in");
      await expect(attempt).rejects.toMatchObject({ code: "ELOCKED" });
      expect(await readFile(`${path}${nested}`, "utf8")).toBe(guard);
    }
  });

  it("takes over what killed processes of version 0.0.0 left, however long the names are", async () => {
    const path = await deadLock();
    let guard = path;
    let token = "dead";
    for (let kill = 0; kill < 5; kill++) {
      guard = `${guard}.${token}.dead`;
      token = crypto.randomUUID();
      await writeFile(guard, renderLockRecord({ ...DEAD, token }));
      await writeFile(`${path}.${DEAD.pid}.${token}`, renderLockRecord({ ...DEAD, token }));
    }
    expect(await filesAfterUse(path)).toEqual([]);
  });
});

describe("a file system that carries out a call and loses the reply", () => {
  const CODES: Partial<Record<keyof Disk, readonly string[]>> = {
    link: ["EEXIST", "EIO"],
    rename: ["ENOENT", "EIO"],
    unlink: ["ENOENT", "EIO"],
  };

  /** Runs an action under the lock, and loses the reply to one call; returns the name of that call, if there was one. */
  async function loseReply(path: string, step: number, at: number): Promise<string | undefined> {
    let count = 0;
    let name: string | undefined;
    const disk = diskThrough(async (called, run) => {
      const result = await run();
      const code = CODES[called]?.[at];
      if (count++ !== step || code === undefined) return result;
      name = called;
      throw Object.assign(new Error(code), { code });
    });
    return await withLock({ path, disk, timing: { timeoutMs: 1_000 } }, async () => name);
  }

  it.for([
    ["a free lock", freeLock, ["link", "unlink"]],
    ["the lock of a dead process", deadLock, ["link", "rename", "unlink"]],
  ] as const)("never makes a process wait for itself: %s", async ([, prepare, calls]) => {
    const names: (string | undefined)[] = [];
    for (let step = 0; step < 12; step++) {
      for (const at of [0, 1]) {
        const path = await prepare();
        names.push(await loseReply(path, step, at));
        expect(await filesAfterUse(path)).toEqual([]);
      }
    }
    expect(names).toEqual(expect.arrayContaining([...calls]));
  });
});
