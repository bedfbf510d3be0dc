import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Change,
  parseHistoryLine,
  renderChange,
  renderDoneMark,
} from "../../src/history/change.ts";
import { parseTopicSlug } from "../../src/topics/slug.ts";

const CHANGE: Change = {
  id: "0a1b2c3d",
  at: "2026-11-16T00:00:00.000Z",
  who: "agent",
  session: "s-1",
  action: "write",
  files: [{ slug: parseTopicSlug("deploy"), before: null, after: "---\n\nText.\n" }],
};

const text = fc.oneof(
  fc.constantFrom("", "\n", "\r\n", "\uFEFFa", "\u2028", "\0", '"', "\\", "é😀", '{"done":"x"}'),
  fc.string({ maxLength: 5 }),
);
const change: fc.Arbitrary<Change> = fc.record(
  {
    id: text,
    at: text,
    who: fc.constantFrom("agent", "person"),
    action: fc.constantFrom("write", "edit", "rename", "remove", "undo", "import", "fix"),
    files: fc.array(
      fc.record({
        slug: fc.constantFrom("a", "a b", "日本", "con", "__proto__").map(parseTopicSlug),
        before: fc.option(text),
        after: fc.option(text),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    session: text,
    of: text,
    isErased: fc.constant(true as const),
  },
  { requiredKeys: ["id", "at", "who", "action", "files"] },
);

describe("history lines", () => {
  it("renders a change as one line that parses back to the same change", () => {
    fc.assert(
      fc.property(change, (written) => {
        const line = renderChange(written);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(parseHistoryLine(line)).toEqual(written);
      }),
      { numRuns: 2_000 },
    );
  });

  it("parses a done mark", () => {
    expect(parseHistoryLine(renderDoneMark("0a1b2c3d"))).toEqual({ done: "0a1b2c3d" });
  });

  it.for([
    "../x",
    "a/b",
    String.raw`..\x`,
    "MEMORY",
    "",
    ".hidden",
    "..",
    "a\0",
    5,
    null,
    undefined,
  ])("rejects a change of a file with the invalid name %j", (slug) => {
    for (const files of [
      [{ slug, before: null, after: "x" }],
      [...CHANGE.files, { slug, before: null, after: "x" }],
    ]) {
      expect(parseHistoryLine(JSON.stringify({ ...CHANGE, files }))).toBeUndefined();
    }
  });

  it.for([
    "",
    " ",
    "{",
    "null",
    "[]",
    '"text"',
    "5",
    "{}",
    '{"done":5}',
    '{"__proto__":{"done":"x"}}',
    renderChange(CHANGE).slice(0, -10),
    JSON.stringify({ ...CHANGE, id: 5 }),
    JSON.stringify({ ...CHANGE, at: null }),
    JSON.stringify({ ...CHANGE, who: "root" }),
    JSON.stringify({ ...CHANGE, action: "format" }),
    JSON.stringify({ ...CHANGE, action: "toString" }),
    JSON.stringify({ ...CHANGE, files: [] }),
    JSON.stringify({ ...CHANGE, files: {} }),
    JSON.stringify({ ...CHANGE, files: [null] }),
    JSON.stringify({ ...CHANGE, files: [{ slug: "a", before: 5, after: null }] }),
    JSON.stringify({ ...CHANGE, files: [{ slug: "a", after: "x" }] }),
    JSON.stringify([CHANGE]),
  ])("rejects a damaged line (%#)", (line) => {
    expect(parseHistoryLine(line)).toBeUndefined();
  });

  it("drops unknown keys and invalid optional values of a change", () => {
    const line = JSON.stringify({ ...CHANGE, session: 5, of: {}, isErased: "yes", extra: "x" });
    const { session: _, ...rest } = CHANGE;
    expect(parseHistoryLine(line)).toEqual(rest);
  });
});
