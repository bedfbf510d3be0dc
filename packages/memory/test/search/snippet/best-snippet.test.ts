import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withMarks } from "../../../src/search/results/results.ts";
import { bestSnippet } from "../../../src/search/snippet/best-snippet.ts";

function shown(text: string, query: string, maxCharacters?: number): string {
  return withMarks(bestSnippet(text, query, maxCharacters), { before: "[", after: "]" });
}

const FILLER = "No one ever searches for anything in this sentence here. ".repeat(8);

describe("marks of a snippet", () => {
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
  ] as const)("marks the words of %j in %j that a search would find", ([query, text, expected]) => {
    expect(shown(text, query)).toBe(expected);
  });
});

describe("the part of a snippet", () => {
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
  ] as const)("shows the right part: %s", ([, text, query, expected]) => {
    expect(shown(text, query)).toBe(expected);
  });

  it("shows the whole sentence with most of the words if it fits", () => {
    const text = `${FILLER}The flag stays. Later the flag of the checkout goes. ${FILLER}`;
    expect(shown(text, "flag checkout", 60)).toBe("Later the [flag] of the [checkout] goes.");
  });

  it("prefers a rare word to a frequent one", () => {
    const text = `${"A deploy is a deploy. ".repeat(20)}${FILLER}The canary runs. ${FILLER}`;
    expect(shown(text, "deploy canary", 30)).toContain("[canary]");
  });

  it("continues after a heading", () => {
    const text = `${FILLER}\n## Deploys\n\nFirst the migrations, then everything else.\n\n${FILLER}`;
    expect(shown(text, "deploys", 70)).toBe(
      "## [Deploys] First the migrations, then everything else.",
    );
  });

  it("cuts between words and shows an ellipsis", () => {
    const text = `${"before ".repeat(40)}needle ${"after ".repeat(40)}`;
    expect(shown(text, "needle", 40)).toBe("…before [needle] after after after after…");
  });

  it("shows the start if nothing matches", () => {
    expect(shown(`The beginning. ${FILLER}`, "zebra", 24)).toBe("The beginning.");
  });

  it.for([
    ["at the beginning", (all: string) => `The canary sings. ${all}`],
    ["in the middle", (all: string) => `${all}The canary sings. ${all}`],
    ["at the end", (all: string) => `${all}The canary sings.`],
  ] as const)("finds a match in a long text %s", ([, around]) => {
    const other = "No one can sing, and the canned candle sinks. ".repeat(3_000);
    expect(shown(around(other), "canary sings", 40)).toContain("The [canary] [sings].");
  });

  it("shows the part of a long text with most of the words, and the rarest of them", () => {
    const deploys = "A deploy is a deploy. ".repeat(4_000);
    const text = `${deploys}The canary of the deploy. ${deploys}The kite. ${deploys}`;
    expect(shown(text, "deploy canary", 40)).toContain("[canary] of the [deploy]");
    const others = FILLER.repeat(100);
    const rare = `${"A deploy of a flag. ".repeat(8_000)}${others}The kite. ${others}`;
    expect(shown(rare, "deploy flag kite", 12)).toContain("[kite]");
  });

  it("shows the start of a long text if nothing matches", () => {
    const text = `${" \n".repeat(50_000)}The beginning. ${FILLER.repeat(200)}`;
    expect(shown(text, "zebra", 24)).toBe("The beginning.");
    expect(shown(`---\nname: zebra\n---\nThe beginning. ${FILLER.repeat(200)}`, "zebra", 24)).toBe(
      "The beginning.",
    );
  });

  it("never splits a surrogate pair", () => {
    const { text } = bestSnippet("😀".repeat(100), "zebra", 21);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/^(?:😀)+…$/u);
  });
});

describe("snippets of any text", () => {
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

  it("returns one line that fits, with sorted, separate marks inside it", () => {
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

  it("shows a matching word wherever it is", () => {
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
    ["marks that change places", "\u05B0\u0591"],
    ["scripts side by side", "部b"],
    ["words that begin alike", "depot flatter "],
    ["dots and words", "b."],
  ] as const)("handles a million characters: %s", ([, part]) => {
    const text = part.repeat(1_000_000 / part.length);
    // Anything but linear work would exceed the time limit of a test.
    expect(bestSnippet(text, "deploy 部署 flag b").text.length).toBeLessThanOrEqual(160);
  });

  it.for([
    ["words", (at: number) => `word${at} other thing and so on `],
    ["words that are new each time", (at: number) => `w${at.toString(36)}x`],
    ["a script without spaces", (at: number) => String.fromCodePoint(0x4e00 + (at % 20_000))],
    ["paths", (at: number) => `src/${at}Deep_name/`],
  ] as const)("handles a large topic: %s", ([, part]) => {
    let text = "";
    for (let at = 0; text.length < 256 * 1024; at++) text += part(at);
    expect(bestSnippet(text, "deploy 部署 flag kite").text.length).toBeLessThanOrEqual(160);
  });
});
