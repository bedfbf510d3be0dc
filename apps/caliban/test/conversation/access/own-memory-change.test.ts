import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createOwnMemoryChange } from "../../../src/conversation/access/own-memory-change.ts";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { machine } from "../../fake-host.ts";

async function writeTopics() {
  const { host } = await machine();
  const project = await openProject({ ...NO_OPTIONS, host });
  const { store, directory } = await project.topics({ forWriting: true });
  const author = { who: "person" } as const;
  const topic = { name: "one", description: "a fact", type: "project", author } as const;
  await store.write({ ...topic, body: "A." });
  await store.write({ ...topic, body: "B.", replace: true });
  const isOwn = createOwnMemoryChange(project);
  return { store, isOwn, file: join(directory, "one.md") };
}

describe("createOwnMemoryChange", () => {
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
