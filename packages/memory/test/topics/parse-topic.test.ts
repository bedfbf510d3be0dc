import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontMatter } from "@caliban/common/front-matter";
import { parseTopic, parseTopicHeader, type TopicProblem } from "../../src/topics/parse-topic.ts";
import { scanHeader } from "../../src/topics/scan-header.ts";
import { PIECES } from "./yaml-pieces.ts";

const FULL = process.env["FULL"] === "1";

const fileOf = (header: string, body = "Old body."): string => `---\n${header}\n---\n\n${body}\n`;

function codesOf(text: string): readonly TopicProblem["code"][] {
  const codes = parseTopic(text).problems.map(({ code }) => code);
  // A list must show the same values as a single topic.
  expect(parseTopicHeader(text).problems.map(({ code }) => code)).toEqual(codes);
  return codes;
}

describe("files of other programs", () => {
  it("reads a type next to the name or in a flow map", () => {
    for (const type of [
      "type: feedback",
      "metadata: {type: feedback}",
      "metadata: { type: feedback }",
    ]) {
      expect(parseTopic(fileOf(`name: User role\ndescription: a\n${type}`))).toMatchObject({
        name: "User role",
        type: "feedback",
        problems: [],
      });
    }
  });

  it("prefers metadata.type to a type next to the name", () => {
    const text = fileOf("description: a\ntype: user\nmetadata:\n  type: project");
    expect(parseTopic(text)).toMatchObject({ type: "project", problems: [] });
  });

  it.for([
    "description: >\n  folded over\n  lines\ntype: user",
    "description: |\n  folded over\n  lines\ntype: user",
    "description: folded over\n  lines\ntype: user",
    'description: "folded over\n\n  lines"\ntype: user',
    'description: "folded\\tover\\nlines"\ntype: user',
    'description: "folded\tover lines"\ntype: user',
    'description: "folded over\u0001lines"\ntype: user',
    "description: 'folded over\u2028lines'\ntype: user",
  ])("reads the multi-line description %j as one line", (header) => {
    expect(parseTopic(fileOf(header)).description).toBe("folded over lines");
    expect(parseTopicHeader(fileOf(header)).description).toBe("folded over lines");
    expect(codesOf(fileOf(header))).toEqual([]);
  });

  it("reads a file with CRLF and a byte order mark", () => {
    const text = `\uFEFF${fileOf("name: x\ndescription: a\ntype: user", "One.\n\nTwo.")}`;
    const { body, problems } = parseTopic(text.replaceAll("\n", "\r\n"));
    expect({ body, problems }).toEqual({ body: "One.\n\nTwo.", problems: [] });
    expect(codesOf(text.replaceAll("\n", "\r\n"))).toEqual([]);
  });

  it.for([
    ["name: 123", "123"],
    ["name: 0x1f", "31"],
    ["name: true", "true"],
    ["name: null", undefined],
    ["name: [a]", undefined],
    ["name: {a: b}", undefined],
    ["name:", undefined],
  ] as const)("reads the YAML value %j as the name %j", ([header, name]) => {
    expect(parseTopic(fileOf(header)).name).toBe(name);
    expect(parseTopicHeader(fileOf(header)).name).toBe(name);
  });

  it("never returns a lone surrogate, which cannot be saved", () => {
    const header = 'description: "a\\ud800b \\ud83d\\ude00"\ntype: user';
    expect(parseTopic(fileOf(header)).description).toBe("a\uFFFDb 😀");
    expect(parseTopicHeader(fileOf(header)).description).toBe("a\uFFFDb 😀");
  });

  it.for([
    ["Body.", "Body."],
    ["\n\nBody.\n\n", "\n\nBody.\n\n"],
    ["---\nnot: a header\n---", "---\nnot: a header\n---"],
  ] as const)("reads the body of %j", ([body, expected]) => {
    expect(parseTopic(fileOf("description: a\ntype: user", body)).body).toBe(expected);
  });

  it("reads a file without a header as a body", () => {
    expect(parseTopic("Just a note.\n")).toMatchObject({ body: "Just a note.", description: "" });
    expect(parseTopic("---- a line\n\ntext\n").body).toBe("---- a line\n\ntext");
    expect(parseTopic("").body).toBe("");
  });
});

describe("problems of a header", () => {
  it.for([
    ["Just a note.\n", ["NO_HEADER"]],
    ["", ["NO_HEADER"]],
    ["---- rule\n", ["NO_HEADER"]],
    [fileOf("description: a\ntype: user"), []],
    [fileOf(""), ["NO_DESCRIPTION", "NO_TYPE"]],
    [fileOf("description: '  '\ntype: user"), ["NO_DESCRIPTION"]],
    [fileOf("description: [a]\ntype: user"), ["NO_DESCRIPTION"]],
    [fileOf(`description: ${"x".repeat(120)}\ntype: user`), []],
    [fileOf(`description: ${"x".repeat(121)}\ntype: user`), ["LONG_DESCRIPTION"]],
    [fileOf(`description: ${"😀".repeat(120)}\ntype: user`), []],
    [fileOf("description: a\ntype: memo"), ["UNKNOWN_TYPE"]],
    [fileOf("description: a\ntype: User"), ["UNKNOWN_TYPE"]],
    [fileOf("description: a\ntype: 5"), ["UNKNOWN_TYPE"]],
    [fileOf("description: a\ntype: [user]"), ["UNKNOWN_TYPE"]],
    [fileOf("description: a\ntype: &x [*x]"), ["UNKNOWN_TYPE"]],
    [fileOf("description: a\nmetadata: &x {type: *x}"), ["UNKNOWN_TYPE"]],
    [fileOf(`description: a\ntype: ${"[".repeat(200)}${"]".repeat(200)}`), ["UNKNOWN_TYPE"]],
    [fileOf("description: a\ntype: !!set {user}"), ["UNKNOWN_TYPE"]],
    [fileOf("description: a\ntype: toString"), ["UNKNOWN_TYPE"]],
    [fileOf("__proto__: {type: user, description: a}"), ["NO_DESCRIPTION", "NO_TYPE"]],
    [fileOf("constructor: x"), ["NO_DESCRIPTION", "NO_TYPE"]],
    [fileOf("a: 1\na: 2"), ["BROKEN_HEADER"]],
    [fileOf("- a"), ["BROKEN_HEADER"]],
    [fileOf("a: *missing"), ["BROKEN_HEADER"]],
    [fileOf("? [a]\n: b"), ["BROKEN_HEADER"]],
    [fileOf(`a: ${"[".repeat(8_000)}`), ["BROKEN_HEADER"]],
    [fileOf(`a: ${"x".repeat(16_384)}`), ["BROKEN_HEADER"]],
    ["---\nname: x\n", ["BROKEN_HEADER"]],
    ["---\nname: x\n--- \n", ["BROKEN_HEADER"]],
    ["---\nname: x\n---js\n", ["BROKEN_HEADER"]],
  ] as const)("reports the problem of a header (%#)", ([file, codes]) => {
    expect(codesOf(file)).toEqual(codes);
  });

  it("shows only the start of a long unknown type", () => {
    const [problem] = parseTopic(fileOf(`description: a\ntype: ${"x".repeat(5_000)}`)).problems;
    expect(problem?.message.length).toBeLessThan(200);
  });

  it.for([
    "---js",
    "---javascript",
    "---json",
    "---coffee",
    "---toml",
    "--- yaml",
    "---yaml",
    "--- ",
  ])("does not let the first line %j choose another parser", (first) => {
    const code = "globalThis.wasRun = true; module.exports = {description: 'x'}";
    for (const source of [code, `{"description": "x"}`, "description: x\ntype: user"]) {
      const file = `${first}\n${source}\n---\n\nBody.\n`;
      expect(parseTopic(file)).toMatchObject({ description: "", body: file });
      expect(codesOf(file)).toEqual(["BROKEN_HEADER"]);
    }
    expect("wasRun" in globalThis).toBe(false);
  });

  it("rejects an alias bomb", () => {
    const levels = Array.from({ length: 9 }, (_, at) => {
      const items = at === 0 ? "x, x" : Array.from({ length: 9 }, () => `*l${at - 1}`).join(", ");
      return `l${at}: &l${at} [${items}]`;
    });
    expect(codesOf(fileOf(levels.join("\n")))).toEqual(["BROKEN_HEADER"]);
  });
});

const HEADER_LINES = [
  "a: x",
  "b: x",
  "a: yes",
  "a: no",
  "a: y",
  "a: null",
  "a: ~",
  "a: True",
  "a: 0x1f",
  "a: 1e3",
  "a: nan",
  "a: .nan",
  "a: Infinity",
  "a: 2026-01-01",
  "a: 2026-01-01T00:00:00Z",
  "a: 12345678-1234-1234-1234-123456789012",
  'a: "x"',
  'a: ""',
  String.raw`a: "\u0041"`,
  String.raw`a: "\ud800"`,
  String.raw`a: "\x41"`,
  String.raw`a: "\/"`,
  String.raw`a: "x\"y"`,
  'a: "x\ty"',
  'a: "x\u0001"',
  'a: "x" # c',
  'a: "x',
  "a: 'x'",
  "a: x # c",
  "a: x#c",
  "a: x: y",
  "a: x\ty",
  "a: x ",
  "a:   x",
  "a:",
  "a: ",
  "a: |",
  "a: x ]",
  "a: x\\",
  "a: x\u00A0",
  "a: x\u0085y",
  "a: x\u2028y",
  "a: \uFEFFx",
  "a: é",
  "a: x😀",
  "a: &b x",
  "a: *b",
  "a: !!str x",
  "a: [x, y]",
  "a: [x,y]",
  "a: [x, null]",
  "a: [x, y-z, A_1]",
  "a: []",
  "a: {}",
  "__proto__: x",
  "constructor: x",
  "toString: x",
  "null: x",
  "true: x",
  "1: x",
  "<<: x",
  "é: x",
  "-a: x",
  "metadata:",
  "metadata: x",
  "metadata: {type: user}",
  "  type: user",
  "  a: x",
  '  b: "x"',
  "  __proto__: x",
  "  constructor: x",
  "  deep:",
  "    a: x",
  " a: x",
  "\ta: x",
  "  text",
  "# c",
  "  # c",
  "",
  "  ",
  "...",
  "- x",
] as const;

/** The result of the fast reader, and of the parser if the fast reader accepts the header. */
function bothReaders(header: string): { readonly fast: unknown; readonly yaml: unknown } {
  const file = fileOf(header);
  const fast = scanHeader(file);
  if (fast === undefined) return { fast, yaml: undefined };
  const parsed = parseFrontMatter(file);
  return { fast, yaml: parsed.kind === "header" ? parsed.data : parsed };
}

describe("scanHeader", () => {
  it("agrees with the YAML parser on every pair of lines it accepts", () => {
    let answers = 0;
    for (const first of HEADER_LINES) {
      for (const second of HEADER_LINES) {
        const header = `${first}\n${second}`;
        const { fast, yaml } = bothReaders(header);
        expect({ header, data: fast }).toEqual({ header, data: yaml });
        answers += fast === undefined ? 0 : 1;
      }
    }
    expect(answers).toBeGreaterThan(100);
  });

  it("agrees with the YAML parser on every longer header it accepts", () => {
    const some = fc.array(fc.constantFrom(...HEADER_LINES), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(some, (chosen) => {
        const { fast, yaml } = bothReaders(chosen.join("\n"));
        expect(fast).toEqual(yaml);
      }),
      { numRuns: FULL ? 3_000 : 1_000 },
    );
  });

  it("agrees with the YAML parser on every single value it accepts", () => {
    const value = fc.array(fc.constantFrom(...PIECES, "\t", "\u0001"), { maxLength: 4 });
    const place = fc.constantFrom("a: ", "metadata:\n  a: ");
    fc.assert(
      fc.property(place, value, fc.constantFrom("", '"'), (key, pieces, quote) => {
        const { fast, yaml } = bothReaders(`${key}${quote}${pieces.join("")}${quote}`);
        expect(fast).toEqual(yaml);
      }),
      { numRuns: FULL ? 5_000 : 1_000 },
    );
  });
});
