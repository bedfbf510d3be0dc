import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carryEdits } from "../../src/generation/carry-edits.ts";
import { type EditRecord, findEdits, NO_EDITS } from "../../src/generation/find-edits.ts";

const digest = (text: string): string => `#${text}`;

/** The next text, after the user changed `generated` to `current`. */
function carried(generated: string, current: string, answer: string, known = NO_EDITS): string {
  return carryEdits(answer, findEdits({ generated, current, known }, digest).record, digest).text;
}

describe("findEdits", () => {
  it.for([
    ["finds nothing in an unchanged text", "a\nb\n", "a\nb\n", [], []],
    ["finds an added line", "a\nb\n", "a\nmine\nb\n", ["mine"], []],
    ["finds a removed line", "a\nb\n", "a\n", [], ["b"]],
    ["finds a changed line", "a\nb\n", "a\nB\n", ["B"], ["b"]],
    ["ignores a line that moved", "a\nb\n", "b\na\n", [], []],
    ["ignores the removal of one of two equal lines", "a\na\n", "a\n", [], []],
    ["finds that everything was removed", "a\nb\n", "", [], ["a", "b"]],
    ["ignores line ends", "a\nb\n", "a\r\nb\r\n", [], []],
    ["ignores a byte order mark", "a\nb\n", "\uFEFFa\nb\n", [], []],
    ["ignores empty lines and rules", "a\nb\n", "a\n\n---\n\nb\n", [], []],
    ["ignores a removed fence", "```sh\na\n```\n", "a\n", [], []],
  ] as const)("%s", ([, made, now, added, removed]) => {
    const found = findEdits({ generated: made, current: now, known: NO_EDITS }, digest);
    expect({ added: found.added, removed: found.removed }).toEqual({ added, removed });
  });

  it("stores no text of removed lines", () => {
    const { record } = findEdits(
      { generated: "my salary\n", current: "", known: NO_EDITS },
      (text) => String(text.length),
    );
    expect(JSON.stringify(record)).not.toContain("salary");
  });
});

describe("carryEdits", () => {
  it.for([
    ["keeps a line after its old neighbor", "a\nb\n", "a\nmine\nb\n", "a\nc\n", "a\nmine\nc\n"],
    ["keeps a line before its old neighbor", "a\nb\n", "a\nmine\nb\n", "c\nb\n", "c\nmine\nb\n"],
    [
      "keeps a line under its heading",
      "## A\n\n- a\n\n## B\n\n- b\n",
      "## A\n\n- a\n- mine\n\n## B\n\n- b\n",
      "## A\n\n- c\n\n## D\n\n- d\n",
      "## A\n\n- c\n- mine\n\n## D\n\n- d\n",
    ],
    [
      "keeps a line without any neighbor left",
      "a\n",
      "a\nmine\n",
      "c\n",
      "c\n\n## Kept by hand\n\nmine\n",
    ],
    ["leaves a line where the answer puts it", "a\nb\n", "a\nmine\nb\n", "b\nmine\n", "b\nmine\n"],
    ["removes a line that the user removed", "a\nb\n", "a\n", "a\nb\nc\n", "a\nc\n"],
    ["keeps a changed line", "a\nb\n", "a\nB\n", "a\nb\n", "a\nB\n"],
    [
      "keeps code with its fences",
      "a\nb\n",
      "a\n\n```sh\nrun\n```\n\nb\n",
      "a\nb\n",
      "a\n\n```sh\nrun\n```\n\nb\n",
    ],
    ["allows an empty text", "a\n", "", "a\n", ""],
    ["returns the answer unchanged without edits", "a\n", "a\n", "x \n\n\ny", "x \n\n\ny"],
  ] as const)("%s", ([, made, now, answered, expected]) => {
    expect(carried(made, now, answered)).toBe(expected);
  });

  it("puts several lines without neighbors under one heading", () => {
    const first = carried("a\n\nb\n", "a\none\n\nb\ntwo\n", "c\n");
    expect(first).toBe("c\n\n## Kept by hand\n\none\ntwo\n");
  });

  it("never mistakes a comment in code for a heading", () => {
    const made = "## A\n\n- a\n";
    const answered = "## A\n\n```sh\n# comment\nrun\n```\n";
    expect(carried(made, "## A\n\n- a\n- mine\n", answered)).toBe(`${answered}- mine\n`);
  });

  it("forgets a user's line when the user removes it", () => {
    const one = findEdits(
      { generated: "a\n", current: "a\nmine\n", known: NO_EDITS },
      digest,
    ).record;
    const made = carryEdits("c\n", one, digest).text;
    const two = findEdits({ generated: made, current: "c\n", known: one }, digest).record;
    expect(carryEdits("c\nmine\n", two, digest).text).toBe("c\n");
  });

  it("accepts a line that the user removed and then wrote again", () => {
    const one = findEdits({ generated: "a\nb\n", current: "a\n", known: NO_EDITS }, digest).record;
    const two = findEdits({ generated: "a\n", current: "a\nb\n", known: one }, digest).record;
    expect(carryEdits("b\n", two, digest).text).toBe("b\n");
    expect(carryEdits("c\n", two, digest).text).toContain("b");
  });

  it("handles texts that are too long to compare line by line", () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index}`);
    const made = lines.join("\n");
    const now = ["mine", ...lines.toReversed(), "also mine"].join("\n");
    expect(carried(made, now, made).split("\n")).toEqual(
      expect.arrayContaining(["mine", "also mine"]),
    );
  });
});

const line = fc.constantFrom("", "a", "b", "c", "d", "# a", "## b", "```", "---");
const text = fc.array(line, { maxLength: 7 }).map((lines) => lines.join("\n"));

it("keeps every line the user added and none the user removed, across any number of generations", () => {
  const steps = fc.array(fc.record({ now: text, answered: text }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(text, steps, (start, generations) => {
      let [made, known]: [string, EditRecord] = [start, NO_EDITS];
      const expected = new Map<string, boolean>();
      for (const { now, answered } of generations) {
        note(expected, made, now);
        const { record } = findEdits({ generated: made, current: now, known }, digest);
        made = carryEdits(answered, record, digest).text;
        known = record;
        const present = new Set(made.split("\n"));
        for (const [wanted, isPresent] of expected) {
          expect({ wanted, isPresent: present.has(wanted) }).toEqual({ wanted, isPresent });
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

/** Records the lines that the user added, and those that the user removed. */
function note(expected: Map<string, boolean>, made: string, now: string): void {
  const [before, after] = [new Set(made.split("\n")), new Set(now.split("\n"))];
  const isContent = (one: string): boolean => /^(?:#+ )?[a-d]$/.test(one);
  for (const added of [...after].filter((one) => isContent(one) && !before.has(one)))
    expected.set(added, true);
  for (const removed of [...before].filter((one) => isContent(one) && !after.has(one)))
    expected.set(removed, false);
}
