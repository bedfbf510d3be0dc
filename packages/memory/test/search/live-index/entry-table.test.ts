import { describe, expect, it } from "vitest";
import { countEntries, createEntryTable } from "../../../src/search/live-index/entry-table.ts";
import { createLiveIndex } from "../../../src/search/live-index/live-index.ts";
import { scriptedSource } from "./scripted-source.ts";

const entry = (
  key: string,
  fingerprint: string,
): { readonly key: string; readonly fingerprint: string } => ({
  key,
  fingerprint,
});

describe("createEntryTable", () => {
  const table = createEntryTable({
    texts: ["a", "1", "", "", "", "b", "2", "", "", ""],
    counts: [1, 1, 0, 3, 0, 3],
  });

  it.for([
    ["the same files", [entry("a", "1"), entry("b", "2")], true],
    ["another fingerprint", [entry("a", "1"), entry("b", "3")], false],
    ["another name under the same fingerprint", [entry("a", "1"), entry("c", "2")], false],
    ["one less", [entry("a", "1")], false],
    ["one more", [entry("a", "1"), entry("b", "2"), entry("c", "3")], false],
    ["another order", [entry("b", "2"), entry("a", "1")], false],
  ] as const)("recognizes for %s whether anything needs to be read", ([, entries, isSame]) => {
    expect(table.isUnchanged(entries)).toBe(isSame);
  });

  it("never treats an entry with an empty fingerprint as unchanged", () => {
    const unread = createEntryTable({ texts: ["a", "", "", "x"], counts: [0, 0, 0] });
    expect(unread.isUnchanged([entry("a", "")])).toBe(false);
  });

  it("counts correctly after it was packed in the middle of a refresh", async () => {
    const source = scriptedSource("topics", { one: "apple", two: "apple" });
    const living = createLiveIndex({
      sources: [
        {
          ...source,
          read: async (...given) => {
            const read = await source.read(...given);
            countEntries(living.tables);
            return read;
          },
        },
      ],
    });
    expect((await living.refresh()).counts.topics).toBe(2);
  });
});
