import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadMemory } from "../../../src/node/prompt/load-memory.ts";
import { openMemorySearch } from "../../../src/node/search/open-memory-search.ts";
import { diagnoseTopics, repairTopics } from "../../../src/node/topics/doctor.ts";
import { createTopicStore } from "../../../src/store/create-topic-store.ts";
import { createMapBackend } from "../../../src/store/map-backend.ts";
import type { TopicBackend } from "../../../src/store/topic-backend.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";

const DEPLOY = {
  name: "deploy",
  description: "run migrations first",
  type: "project",
  body: "Then flip the flag.",
  author: { who: "agent" },
} as const;

async function workspace(): Promise<{ readonly directory: string; readonly home: string }> {
  const root = await temporaryDirectory();
  const directory = join(root, "app");
  await mkdir(directory);
  await writeFile(join(directory, "CLAUDE.md"), "Use pnpm.\n");
  return { directory, home: root };
}

describe("memory in a store that is not in files", () => {
  it("reaches the prompt, a note and a search", async () => {
    const store = createTopicStore({ backend: createMapBackend() });
    await store.write(DEPLOY);
    const { directory, home } = await workspace();
    const memory = await loadMemory({ directory, home, env: {}, store });
    expect(memory.prefix).toContain("Use pnpm.");
    expect(memory.prefix).toMatch(
      /<auto-memory-index path="memory:\/\/index">[^]*- \[deploy\]\(deploy\.md\) — project: run migrations first\n/,
    );
    expect(memory.memoryDirectory).toBeUndefined();
    expect(memory.receipt.entries.at(-1)).toMatchObject({
      path: "memory://index",
      status: "loaded",
    });
    const search = openMemorySearch({ workspace: directory, home, env: {}, store });
    const note = await search.note({
      trigger: { kind: "message", text: "how do I deploy?" },
      isKnown: () => false,
      isReadable: () => true,
      nowMs: 0,
    });
    expect(note?.text).toContain("run migrations first");
    const { topics } = await search.search({ query: "flip the flag" });
    expect(topics).toMatchObject([{ name: "deploy" }]);
    await search.settled();
  });

  it("adds a line for a topic that someone inserted without one", async () => {
    const text = "---\ndescription: inserted by hand\nmetadata:\n  type: project\n---\n\nText.\n";
    const store = createTopicStore({ backend: createMapBackend({ entries: { inserted: text } }) });
    const memory = await loadMemory({ ...(await workspace()), env: {}, store });
    expect(memory.prefix).toContain("project: inserted by hand");
    expect(await diagnoseTopics({ store })).toMatchObject([
      { code: "ORPHAN", path: "inserted.md" },
    ]);
    expect(await repairTopics({ store })).toMatchObject([{ isFixed: true }]);
  });

  it("starts without topics, and says so, when the store fails, is slow or is turned off", async () => {
    const backend = createMapBackend();
    const fail = async (): Promise<never> => {
      throw new Error("connection refused");
    };
    const never = async (): Promise<never> => await new Promise(() => undefined);
    const broken = (replaced: Partial<TopicBackend>): ReturnType<typeof createTopicStore> =>
      createTopicStore({ backend: { ...backend, ...replaced }, timeoutMs: 60_000 });
    const start = await workspace();
    const entries = [
      await loadMemory({ ...start, env: {}, store: broken({ list: fail }) }),
      await loadMemory({ ...start, env: {}, store: broken({ read: never, list: never }) }),
      await loadMemory({ ...start, env: {}, store: broken({}), settings: { autoMemory: false } }),
    ].map(({ receipt }) => receipt.entries.at(-1));
    expect(entries).toMatchObject([
      { status: "skipped", message: expect.stringContaining("connection refused") },
      { status: "skipped", message: expect.stringContaining("within 500 ms") },
      { status: "skipped", reason: "TURNED_OFF" },
    ]);
  });
});
