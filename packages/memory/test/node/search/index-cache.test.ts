import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, rmSync } from "node:fs";
import {
  chmod,
  mkdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { describe, expect, it, onTestFinished } from "vitest";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { interceptedDisk } from "../topics/intercepted-disk.ts";
import { cacheHome, type CacheHome, wordOf } from "./cache-home.ts";

/** A home with a snapshot. */
async function keptHome(count: number): Promise<CacheHome> {
  const home = await cacheHome(count);
  const cache = home.open();
  await cache.refresh();
  await cache.settled();
  return home;
}

describe("createIndexCache", () => {
  it("reads all files only for the first search, and none in the next process", async () => {
    const home = await cacheHome(30);
    const first = home.open();
    expect(first.reads).toHaveLength(0);
    expect(await first.find(wordOf(7))).toEqual(["topic-7"]);
    expect(await first.find("oven")).toHaveLength(30);
    expect(first.reads).toHaveLength(30);
    await first.settled();
    const next = home.open();
    expect(await next.find(wordOf(7))).toEqual(["topic-7"]);
    expect((await next.refresh()).counts).toEqual({ topics: 30, sessions: 0, turns: 0 });
    expect(next.reads).toEqual([]);
  });

  it("creates nothing on disk if there is nothing to save", async () => {
    const home = await cacheHome(0);
    const cache = home.open();
    expect(cache.lastKnown()).toBeUndefined();
    await cache.refresh();
    await cache.settled();
    expect(home.kept()).toEqual([]);
  });

  it("reads changed files and drops removed ones since the last snapshot", async () => {
    const home = await keptHome(5);
    await home.write("topic-1", "sink");
    await home.write("new", "oven");
    await rm(join(home.topics, "topic-2.md"));
    const cache = home.open();
    expect(await cache.find("oven")).toEqual(["new", "topic-0", "topic-3", "topic-4"]);
    expect(await cache.find("sink")).toEqual(["topic-1"]);
    expect(cache.reads.toSorted()).toEqual(["new", "topic-1"]);
  });

  it("notices a change that keeps the size or the time of a file", async () => {
    const home = await keptHome(2);
    const path = join(home.topics, "topic-0.md");
    const { size, atime, mtime } = await stat(path);
    await home.write("topic-0", `sink ${wordOf(0)}`);
    expect((await stat(path)).size).toBe(size);
    await writeFile(join(home.topics, "topic-1.md"), "A sink of another size.");
    await utimes(join(home.topics, "topic-1.md"), atime, mtime);
    expect(await home.open().find("sink")).toEqual(["topic-0", "topic-1"]);
  });

  it("returns the last known index without checking any source", async () => {
    const home = await keptHome(3);
    await rm(home.topics, { recursive: true });
    const cache = home.open();
    expect(cache.lastKnown()?.search(wordOf(1)).topics).toHaveLength(1);
    expect(await cache.find(wordOf(1))).toEqual([]);
    expect(cache.lastKnown()).toBeUndefined();
  });

  it("loads no snapshot above the given size for lastKnown", async () => {
    const home = await keptHome(3);
    const { size } = await stat(home.file);
    const cache = home.open();
    expect(cache.lastKnown(size - 1)).toBeUndefined();
    expect(cache.lastKnown(size)).toBeDefined();
    // An index in memory costs nothing.
    expect(cache.lastKnown(0)).toBeDefined();
  });

  it("writes one snapshot for simultaneous searches, none of which waits for it", async () => {
    const home = await cacheHome(3);
    let writes = 0;
    const disk = interceptedDisk({ before: ({ name }) => void (name === "create" && writes++) });
    const cache = home.open({ disk });
    await Promise.all([cache.refresh(), cache.refresh(), cache.find("oven")]);
    await cache.settled();
    await cache.refresh();
    await cache.settled();
    expect(writes).toBe(1);
    expect(home.kept()).toEqual(["project.idx"]);
  });

  it("works without a snapshot file", async () => {
    const home = await cacheHome(3);
    const cache = home.open({ file: undefined });
    expect(await cache.find("oven")).toHaveLength(3);
    await cache.settled();
    expect(home.kept()).toEqual([]);
  });

  it("creates private files", async () => {
    const home = await keptHome(1);
    const modes = [home.file, dirname(home.file), dirname(dirname(home.file))].map(
      (path) => lstatSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o700, 0o700]);
  });
});

describe("the snapshot file", () => {
  it("writes no snapshot for a few new files", async () => {
    const home = await keptHome(30);
    const { ino } = await stat(home.file);
    const add = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at++) await home.write(`new-${at}`, "sink");
      const cache = home.open();
      await cache.refresh();
      await cache.settled();
    };
    await add(0, 19);
    expect((await stat(home.file)).ino).toBe(ino);
    await add(19, 20);
    expect((await stat(home.file)).ino).not.toBe(ino);
    const cache = home.open();
    expect(await cache.find("sink")).toHaveLength(20);
    expect(cache.reads).toEqual([]);
  });

  it("writes a snapshot once many files were added over time", async () => {
    const home = await keptHome(30);
    const { ino } = await stat(home.file);
    const cache = home.open();
    for (let at = 0; at < 20; at++) {
      await home.write(`new-${at}`, "sink");
      await cache.refresh();
      await cache.settled();
      expect((await stat(home.file)).ino === ino).toBe(at < 19);
    }
  });

  it.for([
    ["changed", (home: CacheHome) => home.write("topic-7", "sink")],
    ["gone", (home: CacheHome) => rm(join(home.topics, "topic-7.md"))],
  ] as const)("keeps no word of a file in the snapshot after it was %s", async ([, forget]) => {
    const home = await keptHome(30);
    expect(await readFile(home.file, "latin1")).toContain(wordOf(7));
    await forget(home);
    const cache = home.open();
    await cache.refresh();
    await cache.settled();
    const bytes = await readFile(home.file, "latin1");
    expect(bytes).not.toContain(wordOf(7));
    expect(bytes).toContain(wordOf(8));
    const { ino } = await stat(home.file);
    await cache.refresh();
    await cache.settled();
    expect((await stat(home.file)).ino).toBe(ino);
  });

  it("replaces a foreign snapshot even if there is nothing to search", async () => {
    const home = await keptHome(1);
    await writeFile(home.file, "Words of an older program.");
    await rm(join(home.topics, "topic-0.md"));
    const cache = home.open();
    await cache.refresh();
    await cache.settled();
    expect(await readFile(home.file, "latin1")).not.toContain("older");
  });

  it("writes the snapshot again after it was removed during the write", async () => {
    const home = await cacheHome(3);
    let isRemoved = false;
    const disk = interceptedDisk({
      before: ({ name }) => {
        if (name !== "rename" || isRemoved) return;
        isRemoved = true;
        for (const each of home.kept()) rmSync(join(dirname(home.file), each));
      },
    });
    const cache = home.open({ disk });
    await cache.refresh();
    await cache.settled();
    expect(home.kept()).toEqual([]);
    expect((await cache.refresh()).notes).toEqual([]);
    await cache.settled();
    expect(home.kept()).toEqual(["project.idx"]);
  });

  it("writes one snapshot at a time, and another one afterwards if much changed", async () => {
    const home = await cacheHome(30);
    const { promise: mayWrite, resolve: write } = Promise.withResolvers<void>();
    let begun = 0;
    const real = interceptedDisk({ before: ({ name }) => void (name === "create" && begun++) });
    const slow: typeof real.write = async (...given) => {
      await mayWrite;
      return await real.write(...given);
    };
    const cache = home.open({ disk: { ...real, write: slow } });
    await cache.refresh();
    for (let at = 0; at < 20; at++) await home.write(`topic-${at}`, "sink");
    expect(await cache.find("sink")).toHaveLength(20);
    expect(begun).toBe(1);
    write();
    await cache.settled();
    await cache.refresh();
    expect(begun).toBe(2);
    await cache.settled();
    const next = home.open();
    expect(await next.find("sink")).toHaveLength(20);
    expect(next.reads).toEqual([]);
  });

  it("survives the deletion of its snapshot at any time", async () => {
    const home = await keptHome(3);
    await rm(home.file);
    const cache = home.open();
    expect(await cache.find("oven")).toHaveLength(3);
    expect(cache.reads).toHaveLength(3);
    await cache.settled();
    await rm(dirname(home.file), { recursive: true });
    expect(await cache.find("oven")).toHaveLength(3);
    expect(cache.reads).toHaveLength(3);
  });

  it.for([
    ["empty", async (file: string) => await truncate(file, 0)],
    ["cut", async (file: string) => await truncate(file, (await stat(file)).size - 8)],
    ["something else", async (file: string) => await writeFile(file, "Not an index.")],
    [
      "a link",
      async (file: string) => {
        await writeFile(`${file}.real`, await readFile(file));
        await rm(file);
        await symlink(`${file}.real`, file);
      },
    ],
  ] as const)("rebuilds a snapshot that is %s", async ([, spoil]) => {
    const home = await keptHome(3);
    await spoil(home.file);
    const cache = home.open();
    expect(cache.lastKnown()).toBeUndefined();
    expect(await cache.find("oven")).toHaveLength(3);
    expect(cache.reads).toHaveLength(3);
    expect((await cache.refresh()).notes).toEqual([]);
    await cache.settled();
    expect(lstatSync(home.file).isFile()).toBe(true);
    const next = home.open();
    expect(await next.find("oven")).toHaveLength(3);
    expect(next.reads).toEqual([]);
  });

  it.for([
    ["that starts with other bytes", 200 * 1024 ** 2, false],
    ["that is too large", 1024 ** 3, true],
  ] as const)("does not read a snapshot %s", async ([, size, isBegun]) => {
    const home = await keptHome(3);
    if (!isBegun) await writeFile(home.file, "x");
    await truncate(home.file, size);
    const cache = home.open();
    const before = bytesRead();
    expect(cache.lastKnown()).toBeUndefined();
    expect(bytesRead() - before).toBeLessThan(1024 ** 2);
    expect(await cache.find("oven")).toHaveLength(3);
    await cache.settled();
    expect((await stat(home.file)).size).toBeLessThan(100_000);
  });

  it("ignores a pipe with the name of the snapshot", async () => {
    const home = await cacheHome(0);
    await mkdir(dirname(home.file), { recursive: true });
    execFileSync("mkfifo", [home.file]);
    const module = new URL("../../../src/node/search/snapshot-file.ts", import.meta.url).href;
    const program = `import { readSnapshotFile } from "${module}"; console.log(readSnapshotFile(process.argv[1]));`;
    const given = ["--conditions=caliban:source", "--input-type=module", "--eval", program];
    const said = execFileSync(process.execPath, [...given, home.file], {
      encoding: "utf8",
      timeout: 4_000,
    });
    expect(said).toBe("undefined\n");
  });

  it("never trusts a snapshot with a changed byte", async () => {
    const home = await keptHome(3);
    const whole = await readFile(home.file);
    for (let at = 0; at < whole.length; at += 97) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x40;
      await writeFile(home.file, damaged);
      expect(home.open().lastKnown(), `byte ${at}`).toBeUndefined();
    }
    const cache = home.open();
    expect(await cache.find("oven")).toHaveLength(3);
    expect(cache.reads).toHaveLength(3);
  });

  it("tolerates a directory with the name of the snapshot", async () => {
    const home = await cacheHome(3);
    await mkdir(home.file, { recursive: true });
    const cache = home.open();
    expect(await cache.find("oven")).toHaveLength(3);
    await cache.settled();
    expect((await cache.refresh()).notes).toEqual([
      expect.stringContaining("Could not save the search index"),
    ]);
    expect(home.kept()).toEqual(["project.idx"]);
  });

  it("reports once that the snapshot cannot be written, and works without it", async () => {
    const home = await cacheHome(3);
    await chmod(dirname(home.topics), 0o555);
    onTestFinished(() => chmod(dirname(home.topics), 0o755));
    await withoutPrivileges(async () => {
      const cache = home.open();
      const { index, notes } = await cache.refresh();
      expect(index.search("oven").topics).toHaveLength(3);
      expect(notes).toEqual([
        `Could not save the search index to ${home.file} (EACCES); the next session reads everything again.`,
      ]);
      await cache.settled();
      expect((await cache.refresh()).notes).toEqual([]);
    });
  });

  it("leaves no file behind if the disk is full, and the next search reports it", async () => {
    const home = await cacheHome(3);
    const disk = interceptedDisk({
      before: ({ name }) => {
        if (name === "write") throw Object.assign(new Error("full"), { code: "ENOSPC" });
      },
    });
    const file = join(dirname(home.file), "\u001B[2J.idx");
    const cache = home.open({ disk, file });
    expect((await cache.refresh()).notes).toEqual([]);
    await cache.settled();
    expect(home.kept()).toEqual([]);
    const { notes } = await cache.refresh();
    expect(notes).toEqual([expect.stringContaining("(ENOSPC)")]);
    expect(notes.map(terminalSafeLine)).toEqual(notes);
    expect((await cache.refresh()).notes).toEqual([]);
  });

  it("removes old temporary files of killed writers", async () => {
    const home = await cacheHome(3);
    const directory = dirname(home.file);
    await mkdir(directory, { recursive: true });
    const [old, young] = [".project.idx.old.tmp", ".project.idx.young.tmp"];
    for (const name of [old, young, ".other.idx.old.tmp"])
      await writeFile(join(directory, name), "x");
    await utimes(join(directory, old), 1_000, 1_000);
    await utimes(join(directory, ".other.idx.old.tmp"), 1_000, 1_000);
    const cache = home.open();
    await cache.refresh();
    await cache.settled();
    expect(home.kept()).toEqual([".other.idx.old.tmp", young, "project.idx"]);
  });
});

/** The bytes that this process has read so far; always 0 where the system does not report them. */
function bytesRead(): number {
  if (process.platform !== "linux") return 0;
  return Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}
