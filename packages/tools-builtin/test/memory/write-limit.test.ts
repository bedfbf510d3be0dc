import { createToolRunner } from "@caliban/agent-core";
import { createMapTopicStore, MemoryError } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { anthropicMemoryHandler } from "../../src/anthropic/anthropic-memory-handler.ts";
import { createMemoryTools } from "../../src/memory/memory-tools.ts";
import { createWriteLimit, WRITE_LIMIT } from "../../src/memory/write-limit.ts";

const LIMIT = { maxChangesPerMinute: 3, maxChanges: 5, maxBytes: 20 };

/** Counts changes at given times; returns those that were refused. */
function refusedAt(
  timesMs: readonly number[],
  change: (at: number) => { readonly session: string; readonly text?: string },
): readonly number[] {
  let nowMs = 0;
  const count = createWriteLimit({ now: () => nowMs, limit: LIMIT });
  return timesMs.filter((timeMs, at) => {
    nowMs = timeMs;
    try {
      count(change(at));
      return false;
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== "WRITE_LIMIT") throw error;
      return true;
    }
  });
}

describe("createWriteLimit", () => {
  it("refuses more changes than fit into a minute, and allows them again later", () => {
    const session = (): { session: string } => ({ session: "a" });
    expect(refusedAt([0, 1, 2, 3, 59_999, 60_000, 60_001], session)).toEqual([3, 59_999]);
  });

  it("refuses more changes than a session may make, however slowly it makes them", () => {
    const times = Array.from({ length: 7 }, (_, n) => n * 100_000);
    expect(refusedAt(times, () => ({ session: "a" }))).toEqual([500_000, 600_000]);
    expect(refusedAt(times, (at) => ({ session: String(at % 2) }))).toEqual([]);
  });

  it("refuses a text that exceeds the bytes of a session, and allows a shorter one", () => {
    const texts = ["ä".repeat(5), "x".repeat(11), "x".repeat(10), "x"];
    const change = (at: number) => ({ session: "a", text: texts[at] ?? "" });
    expect(refusedAt([0, 100_000, 200_000, 300_000], change)).toEqual([100_000, 300_000]);
  });

  it("locks no session out when the clock is set back", () => {
    const session = (): { session: string } => ({ session: "a" });
    expect(refusedAt([9e9, 9e9, 9e9, 5, 6], session)).toEqual([]);
  });
});

it("tells the model about the limit and changes nothing", async () => {
  const store = createMapTopicStore();
  const tools = createMemoryTools({ store, now: () => 0 });
  const { run } = createToolRunner({
    tools,
    session: "s",
    policy: { allow: [], ask: [], deny: [], mode: "yolo" },
  });
  const write = (n: number) =>
    run({
      name: "WriteMemoryTopic",
      input: { name: `t${n}`, description: "d", type: "project", body: "b" },
    });
  for (let n = 0; n < WRITE_LIMIT.maxChangesPerMinute; n++) await write(n);
  const result = await write(1_000);
  expect(result).toMatchObject({ isError: true, data: { code: "WRITE_LIMIT" } });
  expect(result.text).toMatch(/^Nothing was changed: this session changed topics 120 times/);
  const removal = await run({
    name: "DeleteMemoryTopic",
    input: { name: "t1", if_match: "0123456789ab" },
  });
  expect(removal).toMatchObject({ isError: true, data: { code: "WRITE_LIMIT" } });
  expect((await store.list()).topics.length).toBe(WRITE_LIMIT.maxChangesPerMinute);
});

it("limits Anthropic's memory tool as well", async () => {
  const handler = anthropicMemoryHandler(createMapTopicStore(), { onError: "return" });
  const body = "A line of text.\n".repeat(16_000);
  const path = "/memories/a.md";
  await handler.create({ path, file_text: body });
  let answer = "";
  for (let n = 0; n < 70 && !answer.startsWith("Error"); n++) {
    answer = await handler.insert({ path, insert_line: 9, insert_text: `${n}\n` });
  }
  expect(answer).toContain("more than 16 MB of topics");
});
