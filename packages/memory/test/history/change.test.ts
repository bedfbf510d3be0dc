import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Change,
  parseHistoryLine,
  renderChange,
  renderDoneMark,
} from "../../src/history/change.ts";
import { eraseTexts, undoableChanges } from "../../src/history/undo.ts";
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

/** A short notation: `w1` is a write, `u2<1` an undo of it, `w3!` an erased write. */
function historyOf(short: string): readonly Change[] {
  return [...short.matchAll(/([wu])(\d)(?:<(\d))?(!?)/g)].map(
    ([, kind, id = "", of, mark]): Change => ({
      id,
      at: CHANGE.at,
      who: "agent",
      action: kind === "w" ? "write" : "undo",
      files: CHANGE.files,
      of,
      isErased: mark === "!",
    }),
  );
}

describe("undoableChanges", () => {
  it.for([
    ["", undefined],
    ["w1", "1"],
    ["w1 w2", "2"],
    ["w1 w2 u3<2", "1"],
    ["w1 w2 u3<2 u4<1", undefined],
    ["w1 w2 u3<1", "2"],
    ["w1 u2<1 w3", "3"],
    ["w1 u2<1 u3<2", "1"],
    ["w1 w2 u3<2 u4<3", "2"],
    ["w1 w2 u3<2 u4<3 u5<2", "1"],
    ["w1 u2<1 u3<2 u4<3", undefined],
    // An erased change is never skipped silently.
    ["w1 w2!", "2"],
    ["w1! w2!", "2"],
    ["w1 u2<1!", undefined],
    ["u2<1", undefined],
  ] as const)("undoes, in the history %j, the change %j first", ([short, id]) => {
    expect(undoableChanges(historyOf(short))[0]?.id).toBe(id);
  });
});

describe("eraseTexts", () => {
  const slug = parseTopicSlug;
  const file = (name: string, before: string | null, after: string | null): Change["files"][0] => ({
    slug: slug(name),
    before,
    after,
  });
  const changes: readonly Change[] = [
    { ...CHANGE, id: "1", files: [file("a", null, "secret 1")] },
    { ...CHANGE, id: "2", files: [file("other", null, "mine")] },
    {
      ...CHANGE,
      id: "3",
      action: "rename",
      files: [
        file("b", null, "secret 2"),
        file("a", "secret 1", null),
        file("other", "mine", "mine too"),
      ],
    },
    { ...CHANGE, id: "4", files: [file("B", "secret 2", "secret 3")] },
    { ...CHANGE, id: "5", action: "remove", files: [file("b", "secret 3", null)] },
  ];

  it("erases the texts of a topic under all of its names, in any case", () => {
    const kept = eraseTexts(changes, slug("B"));
    expect(JSON.stringify(kept)).not.toContain("secret");
    expect(kept.map(({ isErased }) => isErased === true)).toEqual([true, false, true, true, true]);
    expect(kept[2]?.files[2]).toEqual(file("other", "mine", "mine too"));
    expect(kept[1]).toBe(changes[1]);
    expect(kept.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("keeps the texts of a later topic with the same name", () => {
    const reused = { ...CHANGE, id: "6", files: [file("a", null, "another topic")] };
    const kept = eraseTexts([...changes, reused], slug("b"));
    expect(kept.at(-1)).toBe(reused);
    expect(JSON.stringify(kept)).not.toContain("secret");
  });

  it("changes nothing in the history if the topic does not exist", () => {
    expect(eraseTexts(changes, slug("missing"))).toEqual(changes);
    expect(eraseTexts([], slug("a"))).toEqual([]);
  });
});
