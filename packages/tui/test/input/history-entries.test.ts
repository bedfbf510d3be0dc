import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addHistoryEntry,
  type HistoryEntry,
  parseHistory,
  renderHistory,
} from "../../src/input/history-entries.ts";

const ENTRY = fc.record({
  text: fc.string({ minLength: 1, maxLength: 4 }).filter((text) => text.trim() !== ""),
  project: fc.constantFrom("/a", "/b"),
});

function addAll(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return entries.reduce<readonly HistoryEntry[]>(addHistoryEntry, []);
}

describe("the history of the prompt", () => {
  it("survives being written and read, and keeps each text once, newest last", () => {
    fc.assert(
      fc.property(fc.array(ENTRY, { maxLength: 8 }), (sent) => {
        const entries = addAll(sent);
        expect(parseHistory(renderHistory(entries))).toEqual(entries);
        expect(entries.at(-1)).toEqual(sent.at(-1));
        const keys = entries.map(({ text, project }) => `${project} ${text}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const each of sent) expect(entries).toContainEqual(each);
      }),
    );
  });

  it("keeps the newest entries within its limits", () => {
    const many = addAll(
      Array.from({ length: 1100 }, (_, at) => ({ text: `line ${at}`, project: "/a" })),
    );
    expect(many).toHaveLength(1000);
    expect(many.at(0)?.text).toBe("line 100");
    const long = addAll(
      Array.from({ length: 100 }, (_, at) => ({ text: `${at}${"x".repeat(7990)}`, project: "/a" })),
    );
    expect(renderHistory(long).length).toBeLessThan(520_000);
    expect(long.at(-1)?.text).toMatch(/^99x/);
    expect(addHistoryEntry(many, { text: "x".repeat(8001), project: "/a" })).toBe(many);
  });

  it("ignores damaged lines", () => {
    const text =
      '{"text":"a","project":"/a"}\n{"text":1}\n[]\n{"te\n\n{"text":"b","project":"/a"}\n';
    expect(parseHistory(text).map((entry) => entry.text)).toEqual(["a", "b"]);
  });
});
