import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontMatter } from "@caliban/common/front-matter";
import { MemoryError } from "../../src/errors.ts";
import { parseBody, parseDescription } from "../../src/store/plan-write.ts";
import { renameInHeader, renderTopic, type Topic } from "../../src/topics/render-topic.ts";
import { scanHeader } from "../../src/topics/scan-header.ts";
import { parseNewTopicSlug } from "../../src/topics/slug.ts";
import { parseTopic, parseTopicHeader, type TopicProblem } from "../../src/topics/parse-topic.ts";
import { TOPIC_TYPES } from "../../src/topics/topic-type.ts";

const FULL = process.env["FULL"] === "1";

const TOPIC: Topic = {
  name: parseNewTopicSlug("deploy"),
  description: "new words",
  type: "user",
  body: "New body.",
  updated: "2026-11-16T00:00:00.000Z",
  session: "s-1",
  after: ["Read", "Bash"],
};

const fileOf = (header: string, body = "Old body."): string => `---\n${header}\n---\n\n${body}\n`;

function codesOf(text: string): readonly TopicProblem["code"][] {
  const codes = parseTopic(text).problems.map(({ code }) => code);
  // A list must show the same values as a single topic.
  expect(parseTopicHeader(text).problems.map(({ code }) => code)).toEqual(codes);
  return codes;
}

/** The part of a topic that is read back from its file. */
function readBack(text: string): unknown {
  const { problems, ...rest } = parseTopic(text);
  expect({ problems, header: parseTopicHeader(text).problems }).toEqual({
    problems: [],
    header: [],
  });
  const { body: _, ...header } = rest;
  expect(parseTopicHeader(text)).toEqual({ ...header, problems: [] });
  return rest;
}

const PIECES = [
  "a",
  " ",
  "  ",
  ":",
  ": ",
  "#",
  " #",
  '"',
  "'",
  "`",
  "|",
  ">",
  "-",
  "- ",
  "---",
  "...",
  "{",
  "}",
  "[",
  "]",
  ",",
  "&a",
  "*a",
  "!!int",
  "%",
  "@",
  "?",
  "? ",
  "\\",
  "\\n",
  "\\u0041",
  "0",
  "1e3",
  "0x1f",
  "null",
  "~",
  "true",
  "yes",
  "=",
  "<<",
  "😀",
  "👩‍👩‍👧",
  "日本",
  "\u3000",
  "\u00A0",
  "שלום",
  "\u202E",
  "\u200B",
  "é",
  "e\u0301",
  "\uD800",
  "\uDC00",
  "\u0085x",
] as const;
const line = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map(joined);
const lines = fc
  .array(fc.constantFrom(...PIECES, "\n", "\n\n", "\n---\n", "\r\n", "\t"), {
    minLength: 1,
    maxLength: 8,
  })
  .map(joined);
const slug = fc.constantFrom(
  "a",
  "123",
  "0x1f",
  "true",
  "null",
  "no",
  "1e3",
  "日本",
  "a b",
  "v1.2",
);

function joined(pieces: readonly string[]): string {
  return pieces.join("");
}

/** Any topic that a write accepts. */
const topic: fc.Arbitrary<Topic> = fc.record({
  name: slug.map(parseNewTopicSlug),
  description: accepted(line, parseDescription),
  body: accepted(lines, parseBody),
  type: fc.constantFrom(...TOPIC_TYPES),
  updated: fc.constantFrom(undefined, "2026-11-16T00:00:00.000Z"),
  session: fc.option(line.map(wellFormed), { nil: undefined }),
  after: fc.option(fc.array(line.map(wellFormed), { minLength: 1, maxLength: 3 }), {
    nil: undefined,
  }),
});

function accepted(
  given: fc.Arbitrary<string>,
  parse: (value: string) => string,
): fc.Arbitrary<string> {
  const parsed = (value: string): string | undefined => {
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== "INVALID_TOPIC") throw error;
      return undefined;
    }
  };
  return given.filter((value) => parsed(value) !== undefined).map(parse);
}

function wellFormed(value: string): string {
  return value.toWellFormed();
}

const BEFORE = {
  commented:
    "# by Ann\nname: old\nowner: Ann # the boss\ndescription: old words\nmetadata:\n  reviewed: 2024-05-01\n  type: project",
  flow: "{name: old, description: 'old words', metadata: {type: user}} # flow",
  folded: "type: reference\ndescription: >\n  old\n  words\nname: |\n  old",
  "anchored texts": "name: &n old\nother: *n\ndescription: &d old words\nmore: [*d, *n]",
  "anchored map": "metadata: &m {type: &t project, session: &s x}\nagain: *m\nsame: [*t, *s]",
  tagged: "name: !!int 5\ndescription: !!binary aGVsbG8=\nmetadata: !!set {a}",
  "tagged metadata": "metadata: {type: !!timestamp 2001-01-01, updated: !!float 1}\ntype: &x [*x]",
  "metadata that is a text": "metadata: just words",
  "empty values": "metadata:\nname:\ndescription:",
  "odd keys": "1: one\nnull: x\ntrue: y",
  "a list as a key": "[a]: b",
  "a map as a key": "? {a: b}\n: c",
  "a double key": "a: 1\na: 2",
  "a list": "- a list",
  "a text": "just words",
  "a comment alone": "# nothing else",
  nothing: "",
  "an alias bomb":
    "a: &a [x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c]",
  "an open list": "a: [1, 2",
  "a tab": "\tname: x",
  "nearly too long": `long: ${"x".repeat(16_300)}`,
  "maps two thousand deep": `deep: ${"{a: ".repeat(2_000)}${"}".repeat(2_000)}`,
  "lists eleven hundred deep": `deep: ${"[".repeat(1_100)}${"]".repeat(1_100)}`,
} as const;

describe("renderTopic", () => {
  it("renders any topic so that it parses back to the same topic", () => {
    fc.assert(
      fc.property(topic, (written) => {
        expect(readBack(renderTopic(written))).toEqual(written);
      }),
      { numRuns: FULL ? 500 : 100 },
    );
  });

  it("renders any topic over any existing header so that it parses back to the same topic", () => {
    // Long headers are slow and have their own test below.
    const short = Object.values(BEFORE).filter((header) => header.length < 1_000);
    fc.assert(
      fc.property(topic, fc.constantFrom(...short), (written, header) => {
        expect(readBack(renderTopic(written, fileOf(header)))).toEqual(written);
      }),
      { numRuns: FULL ? 500 : 100 },
    );
  });

  it.for(Object.entries(BEFORE))("renders the same text again over %s", ([, header]) => {
    const once = renderTopic(TOPIC, fileOf(header));
    expect(renderTopic(TOPIC, once)).toBe(once);
  });

  it("renders the documented form of a topic file", () => {
    expect(renderTopic(TOPIC)).toMatchInlineSnapshot(`
      "---
      name: deploy
      description: "new words"
      metadata:
        node_type: memory
        type: user
        session: s-1
        updated: 2026-11-16T00:00:00.000Z
        after: [Read, Bash]
      ---

      New body.
      "
    `);
  });

  it("renders headers that are read without the YAML parser", () => {
    const rendered = renderTopic({ ...TOPIC, description: 'a "b": c # d' });
    expect(scanHeader(rendered)).toMatchObject({ name: "deploy", description: 'a "b": c # d' });
    const turned = fileOf("metadata:\n  type: user\nname: x\ndescription: words");
    expect(scanHeader(turned)).toEqual({
      metadata: { type: "user" },
      name: "x",
      description: "words",
    });
  });

  it("renders a long description on one line", () => {
    const description = "word ".repeat(24).trim();
    expect(renderTopic({ ...TOPIC, description })).toContain(`\ndescription: "${description}"\n`);
    expect(renderTopic({ ...TOPIC, description }, fileOf("description: old"))).toContain(
      `\ndescription: ${description}\n`,
    );
  });

  it("renders a topic over a header of any nesting depth", () => {
    for (let depth = 700; depth < 2_200; depth += FULL ? 150 : 700) {
      const header = `deep: ${"{a: ".repeat(depth)}${"}".repeat(depth)}`;
      expect(readBack(renderTopic(TOPIC, fileOf(header)))).toEqual(TOPIC);
      expect(() => renameInHeader(fileOf(header), TOPIC.name)).not.toThrow();
    }
  });
});

describe("an existing header", () => {
  const kept = `# by Ann
name: old
# said in May
description: old words # by phone
owner: &who Ann
zeta: {a: 1}
metadata:
  # not ours
  reviewed: 2024-05-01
  type: project # sure?
  node_type: memory
also: *who`;

  it("keeps the comments, order, anchors and unknown keys of an existing header", () => {
    expect(renderTopic(TOPIC, fileOf(kept))).toBe(`---
# by Ann
name: deploy
# said in May
description: new words # by phone
owner: &who Ann
zeta: {a: 1}
metadata:
  # not ours
  reviewed: 2024-05-01
  type: user # sure?
  node_type: memory
  session: s-1
  updated: 2026-11-16T00:00:00.000Z
  after: [Read, Bash]
also: *who
---

New body.
`);
  });

  it("keeps a header that consists of comments only", () => {
    expect(renderTopic(TOPIC, fileOf("# by Ann\n# in May"))).toMatch(
      /^---\n# by Ann\n# in May\n\nname: deploy\n/,
    );
  });

  it("updates a second type key next to the name as well", () => {
    const rendered = renderTopic(TOPIC, fileOf("type: reference\ndescription: a"));
    expect(rendered).toMatch(/^---\ntype: user\ndescription: /);
    expect(rendered).not.toContain("reference");
  });

  it("removes the session and tools of the last writer if the new one has none", () => {
    const { session: _, after: __, ...rest } = TOPIC;
    const text = renderTopic(rest, renderTopic(TOPIC));
    expect(text).not.toMatch(/session|after/);
    expect(text).toContain("updated: 2026-11-16T00:00:00.000Z");
  });

  it.for([
    ["description: &d old\nother: *d # c\nlast: *d", "other: &d old # c\nlast: *d"],
    ["name: &n old\nother: [*n, *n]", "other: [&n old, *n]"],
    ["metadata: {type: &t project}\nother: *t", "other: &t project"],
    ["metadata: {session: &s x}\nother: *s", "other: &s x"],
    ["metadata: [&a x]\nother: *a", "other: &a x"],
  ] as const)("keeps the value of an alias whose anchor was replaced: %j", ([header, rest]) => {
    const { session: _, ...written } = TOPIC;
    const rendered = renderTopic(written, fileOf(header));
    expect(rendered).toContain(`\n${rest}\n`);
    expect(readBack(rendered)).toMatchObject({ description: "new words", type: "user" });
  });

  it.for([
    "- a list",
    "[a]: b",
    "a: 1\na: 2",
    "a: [1, 2",
    "%YAML 1.1\na: 1",
    BEFORE["nearly too long"],
  ])("replaces an unreadable header (%#)", (header) => {
    expect(renderTopic(TOPIC, fileOf(header))).toBe(renderTopic(TOPIC));
  });

  it("reads a header with CRLF and a byte order mark, and writes it without them", () => {
    const before = `\uFEFF${fileOf("# mine\nname: old").replaceAll("\n", "\r\n")}`;
    const rendered = renderTopic(TOPIC, before);
    expect(rendered).toContain("---\n# mine\nname: deploy\n");
    expect(rendered).not.toMatch(/[\r\uFEFF]/);
  });
});

describe("a rename", () => {
  it("renames a generated header without changing another byte", () => {
    const text = renderTopic({ ...TOPIC, body: "---\nname: deploy\n---\n\n\n" });
    expect(renameInHeader(text, parseNewTopicSlug("new"))).toBe(
      text.replace("name: deploy", "name: new"),
    );
  });

  it("quotes a new name that YAML would not read as text", () => {
    const text = renameInHeader(renderTopic(TOPIC), parseNewTopicSlug("123"));
    expect(parseTopic(text)).toMatchObject({ name: "123", problems: [] });
  });

  it("keeps the value of an alias when the name is changed", () => {
    const text = renameInHeader(fileOf("name: &n old\nother: *n"), parseNewTopicSlug("new"));
    expect(text).toBe(fileOf("name: new\nother: &n old"));
  });

  it.for(["No header.\n", fileOf("- a list"), fileOf("a: 1\na: 2"), "---js\nx\n---\n", ""])(
    "does not rename in a file without a usable header: %j",
    (file) => {
      expect(renameInHeader(file, parseNewTopicSlug("new"))).toBe(file);
    },
  );

  it.for(Object.entries(BEFORE))("keeps a header readable when it is renamed: %s", ([, header]) => {
    const file = fileOf(header);
    const before = parseTopic(file);
    const renamed = renameInHeader(file, parseNewTopicSlug("new"));
    expect(parseTopic(renamed)).toEqual({
      ...before,
      body: renamed === file ? before.body : "Old body.",
      name: renamed === file ? before.name : "new",
    });
  });
});

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
    [fileOf(`description: a\ntype: ${"[".repeat(900)}${"]".repeat(900)}`), ["UNKNOWN_TYPE"]],
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

describe("parseDescription", () => {
  it.for([
    ["a", "a"],
    [" a ", "a"],
    ["a  b", "a b"],
    ["日本\u3000語", "日本 語"],
    ["a\uD800", "a\uFFFD"],
    ["x".repeat(120), "x".repeat(120)],
    ["😀".repeat(120), "😀".repeat(120)],
  ] as const)(
    "returns a valid description or body as it is read back (%#)",
    ([given, description]) => {
      expect(parseDescription(given)).toBe(description);
    },
  );

  it.for([
    "",
    " ",
    "\n",
    "a\nb",
    "a\rb",
    "a\u0085b",
    "a\u2028b",
    "a\u0000b",
    "a\u001Bb",
    "x".repeat(121),
  ])("rejects an invalid description (%#)", (given) => {
    expect(() => parseDescription(given)).toThrow(
      expect.objectContaining({ code: "INVALID_TOPIC" }),
    );
  });
});

describe("parseBody", () => {
  it.for([
    ["a", "a"],
    ["\n\n a\n\n", " a"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["\uFEFFa", "a"],
    ["a\0b", "a\uFFFDb"],
    ["a\uD800b", "a\uFFFDb"],
    ["x".repeat(262_144), "x".repeat(262_144)],
  ] as const)("is kept as it will be read (%#)", ([given, body]) => {
    expect(parseBody(given)).toBe(body);
  });

  it.for(["", " \n\t", "\uFEFF", "x".repeat(262_145), "é".repeat(131_073)])(
    "rejects an invalid body (%#)",
    (given) => {
      expect(() => parseBody(given)).toThrow(expect.objectContaining({ code: "INVALID_TOPIC" }));
    },
  );
});
