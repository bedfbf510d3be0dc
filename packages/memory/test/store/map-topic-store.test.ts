import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findSecrets } from "@caliban/common/secrets";
import { topicStoreCases } from "../../src/testing/topic-store-cases.ts";
import { createMapTopicStore } from "../../src/store/map-topic-store.ts";

describe("createMapTopicStore", () => {
  const cases = topicStoreCases(async (files) => {
    let nowMs = Date.parse("2026-11-16T00:00:00Z");
    return createMapTopicStore({
      sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
      now: () => (nowMs += 1000),
      findSecrets,
      files,
    });
  });
  it.for(cases)("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

it("works without arguments: with a clock, hashes and the built-in secret scanner", async () => {
  const store = createMapTopicStore();
  const topic = {
    name: "deploy",
    description: "x",
    type: "project",
    body: "Text.",
    author: { who: "agent" },
  } as const;
  const written = await store.write(topic);
  const read = await store.read("deploy");
  expect(read).toMatchObject({ topic: { body: "Text." } });
  expect(written).toMatchObject({ kind: "written", hash: read?.hash });
  const body = `key: ${["AK", "IAQWERTYUIOPASDFGH"].join("")}`;
  await expect(store.write({ ...topic, name: "keys", body })).rejects.toMatchObject({
    code: "SECRET_FOUND",
  });
});
