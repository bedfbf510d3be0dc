import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { symlink, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { nodeDisk } from "../../../src/node/disk.ts";
import { withLock } from "../../../src/node/lock/file-lock.ts";
import { renderLockRecord } from "../../../src/node/lock/lock-record.ts";
import { thisMachine } from "../../../src/node/lock/machine.ts";

const HOLDER = join(import.meta.dirname, "hold-lock.process.ts");

async function lockPath(): Promise<string> {
  return join(await temporaryDirectory(), ".lock");
}

interface Holder {
  readonly child: ChildProcess;
  readonly said: (word: string) => Promise<void>;
}

function holder(path: string): Holder {
  const child = spawn(process.execPath, ["--conditions=caliban:source", HOLDER, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (data) => void (output += String(data)));
  const said = async (word: string): Promise<void> => {
    while (!output.includes(word)) await delay(5);
  };
  return { child, said };
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

describe("withLock", () => {
  it("lets one in at a time, and leaves nothing behind", async () => {
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

  it("is a private file that names its holder", async () => {
    const path = await lockPath();
    await withLock({ path }, async () => {
      const { token, ...record } = JSON.parse(await readFile(path, "utf8")) as { token: string };
      const { host, boot, pid, start } = thisMachine();
      expect(record).toEqual({ host, boot, pid, start });
      expect(token).toMatch(/^[\w-]{36}$/);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    });
  });

  it("is free again when the action fails", async () => {
    const path = await lockPath();
    await expect(withLock({ path }, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withLock({ path }, async () => "yes")).toBe("yes");
  });

  it("waits for a live process, and gives up with its number", async () => {
    const path = await lockPath();
    const { child, said } = holder(path);
    await said("held");
    const attempt = withLock({ path, timing: { timeoutMs: 300 } }, async () => "in");
    await expect(attempt).rejects.toMatchObject({
      code: "ELOCKED",
      message: expect.stringContaining(`process ${child.pid}`) as string,
    });
    child.stdin?.write("go\n");
    expect(await withLock({ path }, async () => "in")).toBe("in");
    await said("done");
  });

  it("replaces a killed holder within two seconds", async () => {
    const path = await lockPath();
    const { child, said } = holder(path);
    await said("held");
    child.kill("SIGKILL");
    expect(await timed(() => withLock({ path }, async () => undefined))).toBeLessThan(2_000);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it("replaces a killed holder once, however many find it", async () => {
    const path = await lockPath();
    const { child, said } = holder(path);
    await said("held");
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

  it("never robs a suspended holder, which goes on undisturbed", async () => {
    const path = await lockPath();
    const { child, said } = holder(path);
    await said("held");
    child.kill("SIGSTOP");
    // Far longer than its heartbeat, and longer than a holder elsewhere would be waited for.
    const attempt = withLock(
      { path, timing: { timeoutMs: 2_500, staleAfterMs: 300 } },
      async () => "in",
    );
    await expect(attempt).rejects.toMatchObject({ code: "ELOCKED" });
    child.kill("SIGCONT");
    child.stdin?.write("go\n");
    await said("done");
  });

  it("replaces who died while replacing another", async () => {
    const path = await lockPath();
    const { host, boot } = thisMachine();
    const dead = { host, boot, pid: 2 ** 22 + 1, start: "1" };
    await writeFile(path, renderLockRecord({ ...dead, token: "first" }));
    await writeFile(`${path}.first.dead`, renderLockRecord({ ...dead, token: "second" }));
    expect(await timed(() => withLock({ path }, async () => undefined))).toBeLessThan(2_000);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it("tells a process from another one with the same number", async () => {
    const path = await lockPath();
    const { host, boot, pid } = thisMachine();
    await writeFile(path, renderLockRecord({ host, boot, pid, start: "1", token: "first" }));
    expect(await withLock({ path, timing: { timeoutMs: 100 } }, async () => "in")).toBe("in");
  });

  it("waits for a holder on another host as long as its heart beats, and no longer", async () => {
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
    const timing = { silentAfterMs: 400, patienceMs: 1_200 };
    await expect(withLock({ path, timing }, async () => "in")).rejects.toMatchObject({
      code: "ELOCKED",
      message: expect.stringContaining("elsewhere") as string,
    });
    clearInterval(beating);
    const waited = await timed(() => withLock({ path, timing }, async () => undefined));
    expect(waited).toBeGreaterThan(350);
  });

  it("does not believe the clock of another host", async () => {
    const path = await lockPath();
    await writeFile(
      path,
      renderLockRecord({ host: "elsewhere", boot: "b", pid: 1, start: "1", token: "far" }),
    );
    // Its clock is years behind; the file looks as if nobody had touched it since.
    const { utimes } = await import("node:fs/promises");
    await utimes(path, 1, 1);
    const timing = { silentAfterMs: 10_000, patienceMs: 200 };
    await expect(withLock({ path, timing }, async () => "in")).rejects.toMatchObject({
      code: "ELOCKED",
    });
  });

  it("tells a holder that it was given up", async () => {
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

  it("beats while an action takes long", async () => {
    const path = await lockPath();
    await withLock({ path, timing: { heartbeatMs: 20 } }, async () => {
      const { mtimeMs } = await stat(path);
      await delay(200);
      expect((await stat(path)).mtimeMs).toBeGreaterThan(mtimeMs);
    });
  });

  it("refuses a lock that is a link or a directory", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "target"), "");
    await symlink("target", join(directory, "link"));
    const linked = withLock({ path: join(directory, "link") }, async () => "in");
    await expect(linked).rejects.toThrow("it is a symbolic link");
    const { mkdir } = await import("node:fs/promises");
    await mkdir(join(directory, "d"));
    await expect(withLock({ path: join(directory, "d") }, async () => "in")).rejects.toMatchObject({
      code: "ENOTLOCK",
    });
  });

  it.for(["EPERM", "ENOTSUP"])("works where a file has only one name (%s)", async (code) => {
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
  });
});
