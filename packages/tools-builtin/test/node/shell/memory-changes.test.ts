import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFsTopicStore } from "@caliban/memory/node";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { isOwnMemoryChange } from "../../../src/node/shell/memory-changes.ts";
import { completeWorkspace } from "../../../src/node/tool-workspace.ts";

async function writeTopics() {
  const directory = join(await temporaryDirectory(), "memory");
  const store = createFsTopicStore({ directory });
  const author = { who: "person" } as const;
  const topic = { name: "one", description: "a fact", type: "project", author } as const;
  await store.write({ ...topic, body: "A." });
  await store.write({ ...topic, body: "B.", replace: true });
  const workspace = completeWorkspace({
    root: directory,
    env: {},
    memoryDirectory: directory,
    memoryLog: () => store.log(),
  });
  const isOwn = (name: string, sinceMs: number): Promise<boolean> =>
    isOwnMemoryChange(workspace, { name, sinceMs });
  return { store, isOwn, file: join(directory, "one.md") };
}

describe("isOwnMemoryChange", () => {
  it("recognizes a file as the store last wrote it, however long ago", async () => {
    const { isOwn } = await writeTopics();
    expect(await isOwn("one.md", Date.now() + 60_000)).toBe(true);
    expect(await isOwn("MEMORY.md", Date.now())).toBe(true);
  });

  it("treats any other content as a hand edit, however soon after", async () => {
    const { isOwn, file } = await writeTopics();
    await appendFile(file, "by hand\n");
    expect(await isOwn("one.md", 0)).toBe(false);
    await rm(file);
    expect(await isOwn("one.md", 0)).toBe(false);
    expect(await isOwn("two.md", 0)).toBe(false);
    expect(await isOwn("MEMORY.md", Date.now() + 60_000)).toBe(false);
  });

  it("recognizes a file that the store removed", async () => {
    const { store, isOwn } = await writeTopics();
    await store.remove({ name: "one", author: { who: "person" } });
    expect(await isOwn("one.md", 0)).toBe(true);
  });
});
