import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { createFsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";
import { topicStoreCases } from "../../../src/testing/topic-store-cases.ts";

describe("the store on disk", () => {
  const cases = topicStoreCases(async (files) => {
    const home = await temporaryDirectory();
    await writeFiles(join(home, "memory"), files);
    let nowMs = Date.parse("2026-11-16T00:00:00Z");
    return createFsTopicStore({
      directory: join(home, "memory"),
      historyDirectory: join(home, "history"),
      now: () => (nowMs += 1000),
    });
  });
  it.for(cases)("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
