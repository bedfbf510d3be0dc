import { expect, it } from "vitest";
import { anthropicMemoryHandler } from "../../src/anthropic/anthropic-memory-handler.ts";
import { formatSize } from "../../src/anthropic/view-memory.ts";
import { STORES } from "./memory-stores.ts";

it.for([
  [0, "0B"],
  [1_023, "1023B"],
  [1_024, "1K"],
  [5_632, "5.5K"],
  [1_048_575, "1024.0K"],
  [1_048_576, "1M"],
  [1_258_292, "1.2M"],
  [5_000_000_000_000, "4656.6G"],
] as const)("formats %i bytes as %s", ([bytes, size]) => {
  expect(formatSize(bytes)).toBe(size);
});

it("lists the newest 500 files, and counts the others", async () => {
  const files = Array.from({ length: 510 }, (_, at): readonly [string, string] => {
    const day = new Date(at * 86_400_000).toISOString();
    const header = `description: d\nmetadata:\n  type: user\n  updated: ${day}`;
    return [`topic-${at}.md`, `---\n${header}\n---\n\nText.\n`];
  });
  const store = await STORES[0]?.open(Object.fromEntries(files));
  if (store === undefined) throw new Error("no store in memory");
  const lines = (await anthropicMemoryHandler(store).view({ path: "/memories" })).split("\n");
  expect(lines.length).toBe(3 + 500 + 1);
  expect(lines[3]).toMatch(/^6B\t.*\/topic-10\.md$/);
  expect(lines.at(-1)).toBe("10 older files are not listed; see /memories/MEMORY.md");
});
