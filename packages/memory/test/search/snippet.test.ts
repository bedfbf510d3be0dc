import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withMarks } from "../../src/search/marked-text.ts";
import { bestSnippet } from "../../src/search/snippet.ts";

function shown(text: string, query: string, maxCharacters?: number): string {
  return withMarks(bestSnippet(text, query, maxCharacters), "[", "]");
}

const FILLER = "Nothing of this sentence is ever looked for by anybody. ".repeat(8);

describe("the words that match", () => {
  it.for([
    ["migrations", "Run the migration first.", "Run the [migration] first."],
    [
      "testing",
      "We test, tested and will be testing.",
      "We [test], [tested] and will be [testing].",
    ],
    ["deployments", "We deploy what was deployed.", "We [deploy] what was [deployed]."],
    ["employ", "employment, the sky", "[employment], the sky"],
    ["Café", "the cafe, the CAFÉ", "the [cafe], the [CAFÉ]"],
    ["topic header", "call parseTopicHeader now", "call parse[TopicHeader] now"],
    ["parse_topic_header", "call parseTopicHeader now", "call [parseTopicHeader] now"],
    ["header", "in src/topic/parse-header.ts", "in src/topic/parse-[header].ts"],
    ["disk.ts", "see src/node/disk.ts", "see src/node/[disk].[ts]"],
    ["部署服务器", "我们使用东京服务器进行部署。", "我们使用东京[服务器]进行[部署]。"],
    ["犬", "大きな犬がいる", "大きな[犬]がいる"],
    ["ｄｅｐｌｏｙ", "deploy on friday", "[deploy] on friday"],
    ["deploy", "ＤＥＰＬＯＹ on friday", "[ＤＥＰＬＯＹ] on friday"],
    ["what is the flag?", "what is the flag", "what is the [flag]"],
    ["who are you", "who are they", "[who] [are] they"],
    ["zebra", "no match at all", "no match at all"],
    ["", "no query at all", "no query at all"],
  ] as const)("of %j in %j are marked as a search finds them", ([query, text, expected]) => {
    expect(shown(text, query)).toBe(expected);
  });
});

describe("the part that is shown", () => {
  it.for([
    [
      "lines become one",
      "# Flags\n\n- one\t flag\r\n- two",
      "flag",
      "# [Flags] - one [flag] - two",
    ],
    ["no header of a file", "---\nname: flag\n---\n\nThe flag.\n", "flag", "The [flag]."],
    ["a header that never ends is text", "---\nname: flag", "flag", "--- name: [flag]"],
    ["nothing of an empty text", " \n\t\n", "flag", ""],
  ] as const)("%s", ([, text, query, expected]) => {
    expect(shown(text, query)).toBe(expected);
  });

  it("is the sentence with most of the words, whole where it fits", () => {
    const text = `${FILLER}The flag stays. Later the flag of the checkout goes. ${FILLER}`;
    expect(shown(text, "flag checkout", 60)).toBe("Later the [flag] of the [checkout] goes.");
  });

  it("has the rarer word rather than the more frequent one", () => {
    const text = `${"A deploy is a deploy. ".repeat(20)}\nThe canary runs. ${FILLER}`;
    expect(shown(text, "deploy canary", 30)).toContain("[canary]");
  });

  it("goes on with what stands under a heading", () => {
    const text = `${FILLER}\n## Deploys\n\nFirst the migrations, then everything else.\n\n${FILLER}`;
    expect(shown(text, "deploys", 70)).toBe(
      "## [Deploys] First the migrations, then everything else.",
    );
  });

  it("is cut between words, and says so", () => {
    const text = `${"before ".repeat(40)}needle ${"after ".repeat(40)}`;
    expect(shown(text, "needle", 40)).toBe("…before [needle] after after after after…");
  });

  it("is the beginning where nothing matches", () => {
    expect(shown(`The beginning. ${FILLER}`, "zebra", 24)).toBe("The beginning.");
  });

  it("does not part the halves of a character", () => {
    const { text } = bestSnippet("😀".repeat(100), "zebra", 21);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/^(?:😀)+…$/u);
  });
});

describe("any text", () => {
  const piece = fc.constantFrom(
    "deploy",
    "deployFlag",
    "flags",
    "x",
    "部署",
    "é",
    "ﬁ",
    "😀",
    "\uD800",
    " ",
    "\n",
    "\0",
    ". ",
    "。",
    "---\n",
    "_",
  );
  const input = fc.tuple(
    fc.array(piece, { maxLength: 30 }),
    fc.array(piece, { maxLength: 4 }),
    fc.integer({ min: 0, max: 24 }),
  );

  it("gives one line that fits, with marks in order, apart and inside", () => {
    fc.assert(
      fc.property(input, ([pieces, words, most]) => {
        const { text, marks } = bestSnippet(pieces.join(""), words.join(" "), most);
        expect(text.length).toBeLessThanOrEqual(Math.max(2, most));
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\n\r\0]| {2}|^ | $/);
        let last = -1;
        for (const [start, end] of marks) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it("shows a word that is looked for, wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.nat(60),
        fc.integer({ min: 12, max: 40 }),
        (before, after, most) => {
          const text = `${"a ".repeat(before)}needle${" b".repeat(after)}`;
          const { text: part, marks } = bestSnippet(text, "needles", most);
          expect(marks.map(([start, end]) => part.slice(start, end))).toEqual(["needle"]);
        },
      ),
    );
  });

  it.for([
    ["one word over and over", "deploy "],
    ["one word without an end", "deploy"],
    ["letters of changing case", "aB"],
    ["a script without spaces", "部署"],
    ["ends of sentences", ". "],
    ["line ends", "\n"],
    ["marks over letters", "\u0301"],
    ["halves of characters", "\uD83D"],
    ["ends of headers", "---\n"],
    ["brackets behind a dot", ".)"],
  ] as const)("of a million characters takes no long time: %s", ([, part]) => {
    const text = part.repeat(1_000_000 / part.length);
    const began = performance.now();
    bestSnippet(text, "deploy 部署 flag b");
    // Linear work takes a fraction of this, anything else takes minutes.
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
