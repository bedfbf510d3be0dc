import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carryEdits } from "../../src/generation/carry-edits.ts";
import { type EditRecord, findEdits, NO_EDITS } from "../../src/generation/find-edits.ts";

const digest = (text: string): string => `#${text}`;

/** The next text, after a person made `now` of what was `made`. */
function carried(made: string, now: string, answered: string, known = NO_EDITS): string {
  return carryEdits(answered, findEdits({ generated: made, current: now, known }, digest).record, digest).text;
}

describe("what a person changed in a generated text", () => {
  it.for([
    ["nothing", "a\nb\n", "a\nb\n", [], []],
    ["a line more", "a\nb\n", "a\nmine\nb\n", ["mine"], []],
    ["a line less", "a\nb\n", "a\n", [], ["b"]],
    ["a line that reads otherwise", "a\nb\n", "a\nB\n", ["B"], ["b"]],
    ["a line that is elsewhere now", "a\nb\n", "b\na\n", [], []],
    ["one of two equal lines", "a\na\n", "a\n", [], []],
    ["all of it", "a\nb\n", "", [], ["a", "b"]],
    ["the line ends", "a\nb\n", "a\r\nb\r\n", [], []],
    ["a mark at the start of the file", "a\nb\n", "\uFEFFa\nb\n", [], []],
    ["empty lines and rules", "a\nb\n", "a\n\n---\n\nb\n", [], []],
    ["a fence that is gone", "```sh\na\n```\n", "a\n", [], []],
  ] as const)("%s", ([, made, now, added, removed]) => {
    const found = findEdits({ generated: made, current: now, known: NO_EDITS }, digest);
    expect({ added: found.added, removed: found.removed }).toEqual({ added, removed });
  });

  it("keeps no words of what was taken out", () => {
    const { record } = findEdits({ generated: "my salary\n", current: "", known: NO_EDITS }, (text) =>
      String(text.length),
    );
    expect(JSON.stringify(record)).not.toContain("salary");
  });
});

describe("a text that is made anew", () => {
  it.for([
    [
      "keeps a line above which its neighbour stands",
      "a\nb\n",
      "a\nmine\nb\n",
      "a\nc\n",
      "a\nmine\nc\n",
    ],
    [
      "keeps a line below which its neighbour stands",
      "a\nb\n",
      "a\nmine\nb\n",
      "c\nb\n",
      "c\nmine\nb\n",
    ],
    [
      "keeps a line under its heading",
      "## A\n\n- a\n\n## B\n\n- b\n",
      "## A\n\n- a\n- mine\n\n## B\n\n- b\n",
      "## A\n\n- c\n\n## D\n\n- d\n",
      "## A\n\n- c\n- mine\n\n## D\n\n- d\n",
    ],
    [
      "keeps a line that nothing is around any more",
      "a\n",
      "a\nmine\n",
      "c\n",
      "c\n\n## Kept by hand\n\nmine\n",
    ],
    ["leaves a line where the answer has it", "a\nb\n", "a\nmine\nb\n", "b\nmine\n", "b\nmine\n"],
    ["leaves out a line that was taken out", "a\nb\n", "a\n", "a\nb\nc\n", "a\nc\n"],
    ["takes the new words for a line", "a\nb\n", "a\nB\n", "a\nb\n", "a\nB\n"],
    [
      "keeps code with its fences",
      "a\nb\n",
      "a\n\n```sh\nrun\n```\n\nb\n",
      "a\nb\n",
      "a\n\n```sh\nrun\n```\n\nb\n",
    ],
    ["can become empty", "a\n", "", "a\n", ""],
    ["is the answer to the letter without edits", "a\n", "a\n", "x \n\n\ny", "x \n\n\ny"],
  ] as const)("%s", ([, made, now, answered, expected]) => {
    expect(carried(made, now, answered)).toBe(expected);
  });

  it("puts several lines without neighbours under one heading", () => {
    const first = carried("a\n\nb\n", "a\none\n\nb\ntwo\n", "c\n");
    expect(first).toBe("c\n\n## Kept by hand\n\none\ntwo\n");
  });

  it("does not take a comment in code for a heading", () => {
    const made = "## A\n\n- a\n";
    const answered = "## A\n\n```sh\n# comment\nrun\n```\n";
    expect(carried(made, "## A\n\n- a\n- mine\n", answered)).toBe(`${answered}- mine\n`);
  });

  it("forgets a line of a person when the person takes it out", () => {
    const one = findEdits({ generated: "a\n", current: "a\nmine\n", known: NO_EDITS }, digest).record;
    const made = carryEdits("c\n", one, digest).text;
    const two = findEdits({ generated: made, current: "c\n", known: one }, digest).record;
    expect(carryEdits("c\nmine\n", two, digest).text).toBe("c\n");
  });

  it("takes a line back that a person removed and then wrote again", () => {
    const one = findEdits({ generated: "a\nb\n", current: "a\n", known: NO_EDITS }, digest).record;
    const two = findEdits({ generated: "a\n", current: "a\nb\n", known: one }, digest).record;
    expect(carryEdits("b\n", two, digest).text).toBe("b\n");
    expect(carryEdits("c\n", two, digest).text).toContain("b");
  });

  it("tells apart texts that are too long to compare line by line", () => {
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

it("has every line of a person and none they took out, over any number of generations", () => {
  const steps = fc.array(fc.record({ now: text, answered: text }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(text, steps, (start, generations) => {
      let [made, known]: [string, EditRecord] = [start, NO_EDITS];
      const wishes = new Map<string, boolean>();
      for (const { now, answered } of generations) {
        note(wishes, made, now);
        const { record } = findEdits({ generated: made, current: now, known }, digest);
        made = carryEdits(answered, record, digest).text;
        known = record;
        const there = new Set(made.split("\n"));
        for (const [wished, isThere] of wishes) {
          expect({ wished, isThere: there.has(wished) }).toEqual({ wished, isThere });
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

/** What a person wants: the lines that are there since, and those that are there no more. */
function note(wishes: Map<string, boolean>, made: string, now: string): void {
  const [before, after] = [new Set(made.split("\n")), new Set(now.split("\n"))];
  const isSaid = (one: string): boolean => /^(?:#+ )?[a-d]$/.test(one);
  for (const added of [...after].filter((one) => isSaid(one) && !before.has(one)))
    wishes.set(added, true);
  for (const removed of [...before].filter((one) => isSaid(one) && !after.has(one)))
    wishes.set(removed, false);
}
