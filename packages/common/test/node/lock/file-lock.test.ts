import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { RUNTIME } from "../../../../../test/support/runtime.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { nodeDisk } from "../../../src/node/disk.ts";
import { withFileLock, withLock } from "../../../src/node/lock/file-lock.ts";
import { renderLockRecord } from "../../../src/node/lock/lock-record.ts";
import { thisMachine } from "../../../src/node/lock/machine.ts";

const HOLDER = join(import.meta.dirname, "hold-lock.process.ts");

async function lockPath(): Promise<string> {
  return join(await temporaryDirectory(), ".lock");
}

interface Holder {
  readonly child: ChildProcess;
  readonly prints: (word: string) => Promise<void>;
}

function holder(path: string): Holder {
  const child = spawn(RUNTIME, ["--conditions=caliban:source", HOLDER, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (data) => void (output += String(data)));
  const prints = async (word: string): Promise<void> => {
    while (!output.includes(word)) await delay(5);
  };
  return { child, prints };
}

describe("withLock", () => {
  it("withLock runs one action at a time and leaves no files behind", async () => {
    const path = await lockPath();
    let inside = 0;
    const seen: number[] = [];
    const action = async (): Promise<void> => {
      seen.push(++inside);
      await delay(2);
      inside--;
    };
    await Promise.all(Array.from({ length: 12 }, () => withLock({ path }, action)));
    expect(seen).toEqual(Array(12).fill(1));
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it("withLock writes a private file that names its holder", async () => {
    const path = await lockPath();
    await withLock({ path }, async () => {
      const { token, ...record } = JSON.parse(await readFile(path, "utf8")) as { token: string };
      const { host, boot, pid, start } = thisMachine();
      expect(record).toEqual({ host, boot, pid, start });
      expect(token).toMatch(/^[0-9a-f]{32}$/);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    });
  });

  it("withLock releases the lock when the action fails", async () => {
    const path = await lockPath();
    await expect(withLock({ path }, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withLock({ path }, async () => "yes")).toBe("yes");
  });

  it("withLock waits for a live process, then fails with its process number", async () => {
    const path = await lockPath();
    const { child, prints } = holder(path);
    await prints("held");
    const attempt = withLock({ path, timing: { timeoutMs: 300 } }, async () => "in");
    await expect(attempt).rejects.toMatchObject({
      code: "ELOCKED",
      message: expect.stringContaining(`process ${child.pid}`) as string,
    });
    child.stdin?.write("go\n");
    expect(await withLock({ path }, async () => "in")).toBe("in");
    await prints("done");
  });

  it("withLock replaces a killed holder", async () => {
    const path = await lockPath();
    const { child, prints } = holder(path);
    await prints("held");
    child.kill("SIGKILL");
    expect(await withLock({ path }, async () => "in")).toBe("in");
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it("withLock lets only one of many waiting processes replace a killed holder", async () => {
    const path = await lockPath();
    const { child, prints } = holder(path);
    await prints("held");
    child.kill("SIGKILL");
    await once(child, "exit");
    let [inside, most] = [0, 0];
    const action = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await delay(3);
      inside--;
    };
    await Promise.all(Array.from({ length: 12 }, () => withLock({ path }, action)));
    expect(most).toBe(1);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it("withLock never replaces a suspended holder, which finishes undisturbed", async () => {
    const path = await lockPath();
    const { child, prints } = holder(path);
    await prints("held");
    child.kill("SIGSTOP");
    // Longer than its heartbeat, and longer than a holder on another host would be waited for.
    const attempt = withLock(
      { path, timing: { timeoutMs: 600, staleAfterMs: 100 } },
      async () => "in",
    );
    await expect(attempt).rejects.toMatchObject({ code: "ELOCKED" });
    child.kill("SIGCONT");
    child.stdin?.write("go\n");
    await prints("done");
  });

  it("withLock replaces a process that died while replacing another", async () => {
    const path = await lockPath();
    const { host, boot } = thisMachine();
    const dead = { host, boot, pid: 2 ** 22 + 1, start: "1" };
    await writeFile(path, renderLockRecord({ ...dead, token: "first" }));
    await writeFile(`${path}.first.dead`, renderLockRecord({ ...dead, token: "second" }));
    expect(await withLock({ path }, async () => "in")).toBe("in");
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it("withLock distinguishes a process from an earlier one with the same number", async () => {
    const path = await lockPath();
    const { host, boot, pid } = thisMachine();
    await writeFile(path, renderLockRecord({ host, boot, pid, start: "1", token: "first" }));
    expect(await withLock({ path, timing: { timeoutMs: 100 } }, async () => "in")).toBe("in");
  });

  it("withLock waits for a holder on another host while its heartbeat continues, then replaces it", async () => {
    const path = await lockPath();
    const elsewhere = renderLockRecord({
      host: "elsewhere",
      boot: "b",
      pid: 1,
      start: "1",
      token: "far",
    });
    await writeFile(path, elsewhere);
    const beating = setInterval(() => void nodeDisk.touch(path), 50);
    onTestFinished(() => clearInterval(beating));
    const timing = { staleAfterMs: 400, timeoutMs: 800 };
    await expect(withLock({ path, timing }, async () => "in")).rejects.toMatchObject({
      code: "ELOCKED",
      message: expect.stringContaining("elsewhere") as string,
    });
    clearInterval(beating);
    expect(await withLock({ path, timing }, async () => "in")).toBe("in");
  });

  it("withLock does not trust the clock of another host", async () => {
    const path = await lockPath();
    await writeFile(
      path,
      renderLockRecord({ host: "elsewhere", boot: "b", pid: 1, start: "1", token: "far" }),
    );
    // Its clock is years behind, so the file looks abandoned.
    await utimes(path, 1, 1);
    const timing = { staleAfterMs: 10_000, timeoutMs: 200 };
    await expect(withLock({ path, timing }, async () => "in")).rejects.toMatchObject({
      code: "ELOCKED",
    });
  });

  it("assertHeld throws after the holder was replaced", async () => {
    const path = await lockPath();
    const outcome = withLock({ path }, async ({ assertHeld }) => {
      await assertHeld();
      await writeFile(
        path,
        renderLockRecord({ host: "h", boot: "b", pid: 1, start: "1", token: "other" }),
      );
      await assertHeld();
    });
    await expect(outcome).rejects.toMatchObject({ code: "ELOST" });
    expect(await readFile(path, "utf8")).toContain("other");
  });

  it("withLock updates its heartbeat while an action is running", async () => {
    const path = await lockPath();
    await withLock({ path, timing: { heartbeatMs: 20 } }, async () => {
      const { mtimeMs } = await stat(path);
      let now = mtimeMs;
      while (now === mtimeMs) {
        await delay(5);
        now = (await stat(path)).mtimeMs;
      }
      expect(now).toBeGreaterThan(mtimeMs);
    });
  });

  it("withLock rejects a lock file that is a link or a directory", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "target"), "");
    await symlink("target", join(directory, "link"));
    const linked = withLock({ path: join(directory, "link") }, async () => "in");
    await expect(linked).rejects.toThrow("it is a symbolic link");
    await mkdir(join(directory, "d"));
    await expect(withLock({ path: join(directory, "d") }, async () => "in")).rejects.toMatchObject({
      code: "ENOTLOCK",
    });
  });

  it.for(["EPERM", "ENOTSUP"])(
    "withLock works on a file system without hard links (%s)",
    async (code) => {
      const path = await lockPath();
      const disk = {
        ...nodeDisk,
        link: () => Promise.reject(Object.assign(new Error(code), { code })),
      };
      let inside = 0;
      const seen: number[] = [];
      const action = async (): Promise<void> => {
        seen.push(++inside);
        await delay(1);
        inside--;
      };
      await Promise.all(Array.from({ length: 6 }, () => withLock({ path, disk }, action)));
      expect(seen).toEqual(Array(6).fill(1));
      expect(await readdir(dirname(path))).toEqual([]);
    },
  );
});

it("withFileLock runs one action at a time and leaves no files behind", async () => {
  const directory = await temporaryDirectory();
  let inside = 0;
  const most: number[] = [];
  const action = async (): Promise<void> => {
    most.push(++inside);
    await delay(2);
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withFileLock(join(directory, "file"), action)));
  expect(most).toEqual(Array(8).fill(1));
  expect(await readdir(directory)).toEqual([]);
});

it("withFileLock does not remove the lock of its successor", async () => {
  const path = join(await temporaryDirectory(), "file");
  await withFileLock(path, async () => await writeFile(`${path}.lock`, "another"));
  expect(await readdir(dirname(path))).toEqual(["file.lock"]);
});

it("withFileLock releases the lock when the action fails", async () => {
  const path = join(await temporaryDirectory(), "file");
  await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withFileLock(path, async () => "yes")).toBe("yes");
});

it.for([-60_000, 10 ** 12])(
  "withFileLock replaces an unreadable lock whose time is %j ms from now",
  async (ms) => {
    const path = join(await temporaryDirectory(), "file");
    await writeFile(`${path}.lock`, "");
    const time = new Date(Date.now() + ms);
    await utimes(`${path}.lock`, time, time);
    expect(await withFileLock(path, async () => "yes")).toBe("yes");
  },
);
