import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeTopics } from "../../src/index.ts";
import { splitParagraphs } from "../../src/merge/split-paragraphs.ts";

const header = (lines: string): string => `---\n${lines}---\n\n`;
const HEADER = header(
  'name: deploy\ndescription: "order"\nmetadata:\n  node_type: memory\n  type: project\n  updated: 2026-01-01T00:00:00.000Z\n',
);

describe("merging two changes of a body", () => {
  it.for([
    { case: "one side only", base: "a", mine: "a", theirs: "b", merged: "b" },
    { case: "the same change", base: "a", mine: "b", theirs: "b", merged: "b" },
    { case: "two paragraphs", base: "a|b|c", mine: "A|b|c", theirs: "a|b|C", merged: "A|b|C" },
    { case: "neighbours", base: "a|b", mine: "A|b", theirs: "a|b|c", merged: "A|b|c" },
    { case: "adjacent", base: "a|b", mine: "A|b", theirs: "a|B", merged: "A|B" },
    { case: "an edit and an addition", base: "a", mine: "A", theirs: "a|x", merged: "A|x" },
    { case: "both at the end", base: "a", mine: "a|x", theirs: "a|y", merged: "a|x|y" },
    { case: "both at the end, turned", base: "a", mine: "a|y", theirs: "a|x", merged: "a|x|y" },
    { case: "an addition in both", base: "a", mine: "a|x|y", theirs: "a|y|z", merged: "a|x|y|z" },
    { case: "a removal and an addition", base: "a|b", mine: "b", theirs: "a|b|c", merged: "b|c" },
    { case: "one paragraph", base: "a", mine: "b", theirs: "c", merged: undefined },
    { case: "an edit and a removal", base: "a|b", mine: "a", theirs: "a|B", merged: undefined },
    { case: "two moves", base: "a|b|c|d", mine: "b|a|c|d", theirs: "b|c|d|a", merged: undefined },
  ])("merges $case", ({ base, mine, theirs, merged }) => {
    const [o, a, b] = [base, mine, theirs].map((body) => HEADER + fromLetters(body));
    const result = mergeTopics({ base: o ?? "", mine: a ?? "", theirs: b ?? "" });
    expect(result).toEqual(
      merged === undefined
        ? { kind: "conflict", parts: ["body"] }
        : { kind: "merged", text: HEADER + fromLetters(merged) },
    );
  });

  it("takes a fenced block with blank lines as one paragraph", () => {
    const fence = "```sh\none\n\ntwo\n```";
    expect(splitParagraphs(`before\n\n${fence}\n\n\nafter\n`)).toEqual(["before", fence, "after"]);
  });

  it("never has blank paragraphs, whatever fences are open", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "", "```", "~~~~", "````", "  ")), (lines) => {
        const paragraphs = splitParagraphs(lines.join("\n"));
        expect(paragraphs.every((paragraph) => paragraph.trim() !== "")).toBe(true);
        expect(paragraphs.join("\n").replaceAll(/\s/g, "")).toBe(
          lines.join("\n").replaceAll(/\s/g, ""),
        );
      }),
    );
  });
});

describe("merging two changes of a header", () => {
  const base = header(
    'name: deploy\ndescription: "order"\ntags: [a]\nmetadata:\n  type: project\n',
  );
  const merge = (mine: string, theirs: string): unknown => mergeTopics({ base, mine, theirs });

  it("keeps changes of different keys", () => {
    const mine = base.replace('"order"', '"the order"');
    const theirs = base.replace("tags: [a]", 'tags: [a, b]\napplies: {"paths": ["src/**"]}');
    const text = header(
      'name: deploy\ndescription: "the order"\ntags: [a, b]\napplies: {"paths": ["src/**"]}\nmetadata:\n  type: project\n',
    );
    expect(merge(mine, theirs)).toEqual({ kind: "merged", text });
    expect(merge(theirs, mine)).toEqual({ kind: "merged", text });
  });

  it("takes the later time of two writes", () => {
    const at = (time: string): string =>
      base.replace("  type: project\n", `  type: project\n  updated: 2026-0${time}\n`);
    expect(merge(at("1"), at("2"))).toEqual({ kind: "merged", text: at("2") });
    expect(merge(at("2"), at("1"))).toEqual({ kind: "merged", text: at("2") });
  });

  it("names the keys that contradict each other", () => {
    const mine = base.replace("order", "mine").replace("project", "user");
    const theirs = base.replace("order", "theirs").replace("project", "reference");
    expect(merge(mine, theirs)).toEqual({
      kind: "conflict",
      parts: ["description", "metadata.type"],
    });
  });

  it("keeps lists over several lines with their key", () => {
    const mine = base.replace("tags: [a]", "tags:\n  - a\n  - b");
    const theirs = base.replace("deploy", "release");
    expect(merge(mine, theirs)).toEqual({
      kind: "merged",
      text: mine.replace("deploy", "release"),
    });
  });

  it.for(["description: &a x\nname: *a\n", "name: x\nname: y\n", "- a\n", "'a b': 1\n"])(
    "reports %j as a conflict, because its keys cannot be told apart by lines",
    (lines) => {
      const theirs = base.replace("order", "theirs");
      expect(merge(header(lines), theirs)).toEqual({ kind: "conflict", parts: ["header"] });
    },
  );
});

describe("merging anything", () => {
  const body = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 5 });
  const file = fc.record({
    keys: fc.subarray(["name: n", "name: m", "tags: [a]", "tags: [b]", "description: d"]),
    updated: fc.constantFrom("1", "2"),
    body,
  });
  const versions = fc.record({ base: file, mine: file, theirs: file });
  type File = typeof file extends fc.Arbitrary<infer Value> ? Value : never;
  const render = ({ keys, updated, body: paragraphs }: File): string => {
    const unique = new Map(keys.map((line) => [line.split(":")[0], line]));
    const lines = [...unique.values(), "metadata:", `  updated: ${updated}`];
    return header(`${lines.join("\n")}\n`) + paragraphs.map((text) => `${text}\n`).join("\n");
  };
  const check = (
    test: (input: {
      readonly base: string;
      readonly mine: string;
      readonly theirs: string;
    }) => void,
  ): void =>
    fc.assert(
      fc.property(versions, ({ base, mine, theirs }) =>
        test({ base: render(base), mine: render(mine), theirs: render(theirs) }),
      ),
      { numRuns: 3_000 },
    );

  it("merges to the same text whichever side is mine", () => {
    check(({ base, mine, theirs }) => {
      const one = mergeTopics({ base, mine, theirs });
      const other = mergeTopics({ base, mine: theirs, theirs: mine });
      expect(other).toEqual(one);
    });
  });

  it("changes nothing when it is repeated", () => {
    check(({ base, mine, theirs }) => {
      const once = mergeTopics({ base, mine, theirs });
      if (once.kind === "conflict") return;
      expect(mergeTopics({ base, mine, theirs: once.text })).toEqual(once);
      expect(mergeTopics({ base, mine: once.text, theirs: once.text })).toEqual(once);
    });
  });

  it("never invents, repeats or loses a paragraph, and writes no conflict markers", () => {
    check(({ base, mine, theirs }) => {
      const merged = mergeTopics({ base, mine, theirs });
      if (merged.kind === "conflict") return;
      expect(merged.text).not.toMatch(/^(?:<{7}|={7}|>{7}|\|{7})/m);
      const [o, a, b, m] = [base, mine, theirs, merged.text].map(counts);
      for (const letter of "abcd") {
        const [inBase, inMine, inTheirs, inMerged] = [o, a, b, m].map(
          (count) => count?.get(letter) ?? 0,
        );
        expect(inMerged).toBeLessThanOrEqual(Math.max(inBase ?? 0, inMine ?? 0, inTheirs ?? 0));
        // What no side touched.
        const isUntouched = inMine === inBase && inTheirs === inBase;
        expect(isUntouched ? inMerged : inBase).toBe(inBase);
      }
    });
  });
});

function counts(text: string): ReadonlyMap<string, number> {
  const paragraphs = splitParagraphs(text.replace(/^---\n[^]*?---\n/, ""));
  return new Map(
    paragraphs.map((paragraph) => [
      paragraph,
      paragraphs.filter((other) => other === paragraph).length,
    ]),
  );
}

function fromLetters(letters: string): string {
  return `${letters.split("|").join("\n\n")}\n`;
}
