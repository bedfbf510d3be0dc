import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CUT_MARK,
  type JournalEntry,
  parseJournal,
  renderEntry,
} from "../../src/checkpoints/journal.ts";

const SHA = "a".repeat(64);
const CHANGE: JournalEntry = {
  type: "change",
  id: 1,
  at: "2026-11-16T12:00:00.000Z",
  message: 3,
  rewinds: 0,
  path: "/w/a",
  before: { kind: "file", sha256: SHA, bytes: 2, mode: 0o600 },
  after: { kind: "file", sha256: SHA, bytes: 2 },
};
const ENTRIES: readonly JournalEntry[] = [
  { type: "start", after: { message: 0, rewinds: 0 } },
  CHANGE,
  { type: "done", id: 1, mode: 0o600 },
  { type: "rewind", id: 1, to: "m3", what: "both" },
  { ...CHANGE, id: 2, before: { kind: "kept" }, after: { kind: "absent" } },
  { ...CHANGE, id: 3, before: { kind: "unsaved", reason: "limit" } },
  { type: "rewound", id: 1 },
];
const TEXT = ENTRIES.map(renderEntry).join("");

describe("the journal of a session", () => {
  it("reads back what was written", () => {
    expect(parseJournal(TEXT)).toEqual(ENTRIES);
  });

  it("loses only the last entry when it is cut anywhere in it, also after more was appended", () => {
    const lines = TEXT.trimEnd().split("\n");
    const whole = lines.slice(0, -1).map((line) => `${line}\n`);
    const last = lines.at(-1) ?? "";
    for (let length = 1; length < last.length; length++) {
      const cut = whole.join("") + last.slice(0, length);
      expect(parseJournal(cut)).toEqual(ENTRIES.slice(0, -1));
      expect(parseJournal(`${cut}${CUT_MARK}${renderEntry({ type: "done", id: 3 })}`)).toEqual([
        ...ENTRIES.slice(0, -1),
        { type: "done", id: 3 },
      ]);
    }
  });

  it("no longer relies on what was before a damaged line", () => {
    const text = `${renderEntry(CHANGE)}{"type":"chan\u0000ge"}\n${renderEntry({ type: "done", id: 1 })}`;
    expect(parseJournal(text)).toEqual([
      CHANGE,
      { type: "start", after: { message: 3, rewinds: 0 } },
      { type: "done", id: 1 },
    ]);
  });

  it.each(["../../etc/passwd", "A".repeat(64), "a".repeat(63), ""])(
    "rejects a hash that is not one, such as %j, because it becomes a file name",
    (sha256) => {
      const entry = { ...CHANGE, before: { kind: "file", sha256, bytes: 2, mode: 0 } };
      expect(parseJournal(`${JSON.stringify(entry)}\n`)).not.toContainEqual(entry);
    },
  );

  it("never throws, whatever a line contains", () => {
    const anything = fc.oneof(fc.string(), fc.json()).map((text) => `${text}\n`);
    fc.assert(
      fc.property(anything, (text) => {
        expect(Array.isArray(parseJournal(text))).toBe(true);
      }),
    );
  });
});
