import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.ts";
import { parseBody, parseDescription } from "../../src/store/plan-write.ts";
import { parseTopic, parseTopicHeader } from "../../src/topics/parse-topic.ts";
import type { Topic } from "../../src/topics/plain-topic.ts";
import { renameInHeader, renderTopic, setFieldsInHeader } from "../../src/topics/render-topic.ts";
import { scanHeader } from "../../src/topics/scan-header.ts";
import { parseNewTopicSlug } from "../../src/topics/slug.ts";
import type { TopicFields } from "../../src/topics/topic-fields.ts";
import { TOPIC_TYPES } from "../../src/topics/topic-type.ts";
import { topicFields } from "./topic-fields-cases.ts";
import { PIECES } from "./yaml-pieces.ts";

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

const FIELDS: TopicFields = {
  applies: { paths: ["src/db/**"], commands: ["npm *"] },
  supersedes: ["old-deploy"],
  evidence: [{ path: "src/db/pool.ts", sha256: "ab".repeat(32), snippet: 'max: 20, // "all"' }],
  expect: ["Which tool deploys? pnpm ship"],
  origin: "user",
};

const fileOf = (header: string, body = "Old body."): string => `---\n${header}\n---\n\n${body}\n`;

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
const contents = fc.record({
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
const topic: fc.Arbitrary<Topic> = fc
  .tuple(contents, topicFields)
  .map(([content, fields]) => Object.assign({}, content, fields));

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

  it("renders the documented form of a topic file with fields", () => {
    const rendered = renderTopic({ ...TOPIC, ...FIELDS });
    expect(rendered).toMatchInlineSnapshot(`
      "---
      name: deploy
      description: "new words"
      applies: {"paths": ["src/db/**"], "commands": ["npm *"]}
      supersedes: ["old-deploy"]
      evidence: [{"path": "src/db/pool.ts", "sha256": "abababababababababababababababababababababababababababababababab", "snippet": "max: 20, // \\"all\\""}]
      expect: ["Which tool deploys? pnpm ship"]
      metadata:
        node_type: memory
        type: user
        session: s-1
        updated: 2026-11-16T00:00:00.000Z
        after: [Read, Bash]
        origin: user
      ---

      New body.
      "
    `);
    expect(scanHeader(rendered)).toMatchObject({ supersedes: ["old-deploy"] });
  });

  it("keeps the fields that a write leaves out, and removes the empty ones", () => {
    const before = renderTopic({ ...TOPIC, ...FIELDS });
    const byHand = before.replace("name: deploy", "name: deploy # ours");
    for (const file of [before, byHand]) {
      const { origin: _, ...kept } = FIELDS;
      expect(readBack(renderTopic(TOPIC, file))).toEqual({ ...TOPIC, ...kept });
      const { expect: expected, applies, ...rest } = kept;
      const empty = { supersedes: [], evidence: [], applies: { paths: [], commands: [] } };
      const changed = { ...TOPIC, ...empty };
      expect(Object.keys(rest)).toEqual(["supersedes", "evidence"]);
      expect(applies).toBeDefined();
      expect(readBack(renderTopic(changed, file))).toEqual({ ...TOPIC, expect: expected });
    }
  });

  it("changes only the fields that are given, and no other byte of the file", () => {
    const before = renderTopic({ ...TOPIC, ...FIELDS });
    const after = setFieldsInHeader(before, { supersedes: ["older-deploy"] });
    expect(after).toBe(before.replace('"old-deploy"', '"older-deploy"'));
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

describe("renameInHeader", () => {
  it("renames a generated header without changing another byte", () => {
    const text = renderTopic({ ...TOPIC, body: "---\nname: deploy\n---\n\n\n" });
    expect(renameInHeader(text, parseNewTopicSlug("new"))).toBe(
      text.replace("name: deploy", "name: new"),
    );
  });

  it("keeps the line ends of the body when it renames the header", () => {
    const body = "one\r\n\r\ntwo\rthree\n";
    const text = `---\r\nname: old\r\n---\r\n${body}`;
    const renamed = renameInHeader(text, parseNewTopicSlug("new"));
    expect(renamed).toBe(`---\nname: new\n---\n${body}`);
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
