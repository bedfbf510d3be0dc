import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { createFsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";
import type { TopicStore } from "../../../src/store/topic-store.ts";
import { topicStoreCases } from "../../../src/testing/topic-store-cases.ts";

describe("createFsTopicStore", () => {
  const homes = new Map<TopicStore, string>();
  let nowMs = Date.parse("2026-11-16T00:00:00Z");
  const open = (home: string): TopicStore => {
    const store = createFsTopicStore({
      directory: join(home, "memory"),
      historyDirectory: join(home, "history"),
      now: () => (nowMs += 1000),
    });
    homes.set(store, home);
    return store;
  };
  const cases = topicStoreCases(
    async (files) => {
      const home = await temporaryDirectory();
      await writeFiles(join(home, "memory"), files);
      return open(home);
    },
    { reopen: async (store) => open(homes.get(store) ?? "") },
  );
  it.for(cases)("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it("keeps its history next to the topics by default", async () => {
    const directory = join(await temporaryDirectory(), "memory");
    const store = createFsTopicStore({ directory });
    const author = { who: "agent" } as const;
    await store.edit({ name: "a", text: "First.", fallbackType: "project", author });
    await store.remove({ name: "a", author });
    const again = createFsTopicStore({ directory });
    expect((await again.log()).map(({ action }) => action)).toEqual(["remove", "write"]);
    await again.undo({ author });
    expect((await again.read("a"))?.topic.body).toBe("First.");
    expect((await again.list()).topics.map(({ slug }) => slug)).toEqual(["a"]);
    expect((await readdir(directory)).toSorted()).toEqual([".history", "MEMORY.md", "a.md"]);
  });

  it("creates nothing on disk for an edit of a missing topic", async () => {
    const directory = join(await temporaryDirectory(), "memory");
    const store = createFsTopicStore({ directory });
    const text = "---\ndescription: d\ntype: user\n---\n\nText.\n";
    const author = { who: "person" } as const;
    const result = await store.edit({ name: "a", text, ifMatch: "000000000000", author });
    expect([result.kind, existsSync(directory)]).toEqual(["missing", false]);
  });
});
