import { spawn } from "node:child_process";
import { chmod, mkdir, rename, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { createIndexCache } from "../../../src/node/search/index-cache.ts";
import { topicDirectorySource } from "../../../src/node/search/topic-directory.ts";
import { createFsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";

const LATER = (): number => Date.now() + 60_000;

const fileOf = (body: string): string =>
  `---\nname: x\ndescription: a topic\nmetadata:\n  type: user\n---\n\n${body}\n`;

async function fingerprintOf(directory: string, key: string): Promise<string | undefined> {
  const entries = await topicDirectorySource(directory, { now: LATER }).list();
  return entries.find((entry) => entry.key === key)?.fingerprint;
}

describe("topicDirectorySource", () => {
  it("lists the files that a store would read, without the index", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, {
      "one.md": "",
      "Two words.md": "",
      "MEMORY.md": "",
      "memory.md": "",
      ".hidden.md": "",
      "a.txt": "",
      "a.md.tmp": "",
      ".history/x.md": "",
    });
    const entries = await topicDirectorySource(directory).list();
    expect(entries.map(({ key }) => key).toSorted()).toEqual(["Two words", "one"]);
  });

  it("lists nothing if the directory does not exist", async () => {
    const directory = join(await temporaryDirectory(), "none");
    expect(await topicDirectorySource(directory).list()).toEqual([]);
  });

  it.for([
    ["the time", async (path: string) => await utimes(path, 1_000, 1_001)],
    [
      "the size",
      async (path: string) => {
        await writeFile(path, fileOf("longer"));
        await utimes(path, 1_000, 1_000);
      },
    ],
    [
      "the file itself",
      async (path: string) => {
        await writeFile(`${path}.tmp`, fileOf("two"));
        await utimes(`${path}.tmp`, 1_000, 1_000);
        await rename(`${path}.tmp`, path);
      },
    ],
  ] as const)("changes the fingerprint of a file when %s changes", async ([, change]) => {
    const directory = await temporaryDirectory();
    const path = join(directory, "a.md");
    await writeFile(path, fileOf("one"));
    await utimes(path, 1_000, 1_000);
    const before = await fingerprintOf(directory, "a");
    expect(await fingerprintOf(directory, "a")).toBe(before);
    await change(path);
    expect(await fingerprintOf(directory, "a")).not.toBe(before);
  });

  it("gives a file a temporary fingerprint while a second write could go unnoticed", async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, "a.md");
    await writeFile(path, fileOf("one"));
    const { mtimeMs } = await stat(path);
    const signAfter = async (ms: number): Promise<string | undefined> =>
      (await topicDirectorySource(directory, { now: () => mtimeMs + ms }).list())[0]?.fingerprint;
    expect(await signAfter(1)).not.toBe(await signAfter(100));
    expect(await signAfter(100)).toBe(await signAfter(5_000));
    // Some file systems store whole seconds only.
    await utimes(path, 1_000, 1_000);
    const signAt = async (ms: number): Promise<string | undefined> =>
      (await topicDirectorySource(directory, { now: () => ms }).list())[0]?.fingerprint;
    expect(await signAt(1_000_100)).not.toBe(await signAt(1_003_000));
  });

  it("reads and shows a topic with the same time as the store", async () => {
    const directory = await temporaryDirectory();
    const updated = "2026-01-02T03:04:05.000Z";
    await writeFiles(directory, {
      "old.md": `---\ndescription: d\nmetadata:\n  type: user\n  updated: ${updated}\n---\n\nBody.\n`,
      "plain.md": "No header.",
    });
    const source = topicDirectorySource(directory);
    const store = createFsTopicStore({ directory, historyDirectory: join(directory, ".h") });
    for (const { key, fingerprint } of await source.list()) {
      const read = await source.read({ key, fingerprint }, undefined);
      const stored = await store.read(key);
      expect(read).toEqual({
        change: "replace",
        cursor: "",
        documents: [
          expect.objectContaining({
            id: `topics:${key}#`,
            updatedMs: stored?.updatedMs,
            body: stored?.topic.body,
          }),
        ],
      });
      expect(await source.show(`topics:${key}#`)).toMatchObject({
        name: key,
        address: `memory://topics/${key}`,
        text: stored?.topic.body,
      });
    }
    expect(await source.read({ key: "gone", fingerprint: "" }, undefined)).toBeUndefined();
    for (const id of [
      "topics:gone#",
      "topics:../old#",
      "topics:MEMORY#",
      "other:old#",
      "topics:old",
    ])
      expect(await source.show(id)).toBeUndefined();
  });

  it("reports why a file that a store refuses is left out", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, {
      "bytes.md": new Uint8Array([0xff, 0xfe]),
      "long.md": `# x\n${"long ".repeat(100_000)}`,
      "real.md": fileOf("oven"),
    });
    await symlink(join(directory, "real.md"), join(directory, "link.md"));
    await mkdir(join(directory, "directory.md"));
    const cache = createIndexCache({ sources: [topicDirectorySource(directory)] });
    const { index, notes } = await cache.refresh();
    expect(index.search("oven").topics.map(({ id }) => id)).toEqual(["topics:real#"]);
    expect(notes.toSorted()).toEqual([
      "Cannot use bytes.md: not valid UTF-8 at line 1, column 1. Fix it or move it away.",
      "Cannot use directory.md: it is not a regular file. Fix it or move it away.",
      "Cannot use link.md: it is a symbolic link. Fix it or move it away.",
      "Cannot use long.md: it has 500004 bytes; the limit is 312320. Fix it or move it away.",
    ]);
  });

  it("reports an inaccessible directory and keeps the known topics", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "one.md": fileOf("oven") });
    await chmod(directory, 0o755);
    onTestFinished(() => chmod(directory, 0o755));
    const cache = createIndexCache({ sources: [topicDirectorySource(directory)] });
    await cache.refresh();
    for (const [mode, code] of [
      [0o311, "their directory cannot be listed (EACCES)"],
      [0o644, "one.md is not accessible (EACCES)"],
    ] as const) {
      await chmod(directory, mode);
      const { index, notes } = await withoutPrivileges(async () => await cache.refresh());
      expect(notes.join()).toContain(code);
      expect(index.search("oven").topics).toHaveLength(1);
    }
  });
});

it("never throws while another process changes the directory, and is correct afterwards", async () => {
  const directory = await temporaryDirectory();
  const program = join(import.meta.dirname, "change-topics.process.ts");
  const writer = spawn(process.execPath, [
    "--conditions=caliban:source",
    program,
    directory,
    "600",
  ]);
  onTestFinished(() => void writer.kill("SIGKILL"));
  const cache = createIndexCache({ sources: [topicDirectorySource(directory)] });
  let searches = 0;
  while (writer.exitCode === null) {
    const { index } = await cache.refresh();
    index.search("oven");
    searches++;
    await setTimeout(1);
  }
  expect(writer.exitCode).toBe(0);
  expect(searches).toBeGreaterThan(5);
  const rebuilt = createIndexCache({ sources: [topicDirectorySource(directory)] });
  const idsOf = async ({ refresh: fresh }: typeof cache): Promise<readonly string[]> =>
    (await fresh()).index
      .search("oven", { limit: 100 })
      .topics.map(({ id }) => id)
      .toSorted();
  const ids = await idsOf(cache);
  expect(ids).toEqual(await idsOf(rebuilt));
  expect(ids.length).toBeGreaterThan(0);
});
