import {
  array,
  assert,
  constantFrom,
  dictionary,
  oneof,
  property,
  string,
  tuple,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { renderFlow } from "../../src/front-matter/flow.ts";
import { parseFrontMatter } from "../../src/front-matter/front-matter.ts";
import {
  parsePlainFrontMatter,
  parsePlainHeader,
} from "../../src/front-matter/plain-front-matter.ts";

describe("parsePlainFrontMatter", () => {
  it.for([
    ["plain texts", "name: a-b\ndescription: What it's for, in [short]\n", 2],
    ["quoted texts", 'description: "a: b # c \\"d\\" \\\\ \\u00e9 ` < …"\n', 1],
    ["true and false", "disable-model-invocation: true\nb: false\n", 2],
    ["a value after several spaces", "a:   b\n", 1],
    ["a flow list of words", "a: [b, c-d]\n", 1],
    ["a list in JSON", 'a: ["b c", "1", "\\u00e9"]\nb: []\n'.replace("\\u00e9", "é"), 2],
    ["a map in JSON", 'a: {"b": ["*.ts", "# c"], "d": "x: y", "e": {}}\n', 1],
    ["a list of maps in JSON", 'a: [{"b": "1"}, {"b": "\\t\\"\\\\"}]\n', 1],
    [
      "a time and an id",
      "a: 2026-11-17T22:00:00.000Z\nb: 01234567-89ab-cdef-0123-456789abcdef\n",
      2,
    ],
    ["a nested map", "a:\n  b: c\n  d: true\ne: f\n", 2],
    ["a nested list", "a:\n- b\n- c\nd:\n  - e\n", 2],
    ["a key without a value", "a:\nb: c\n", 2],
    ["comments and blank lines", "# a\na: b\n\n  # c\nc: d\n", 2],
    ["an empty header", "", 0],
  ] as const)("parsePlainFrontMatter reads %s as YAML does", ([, header, keys]) => {
    const text = `---\n${header}---\nbody\n`;
    const parsed = parsePlainFrontMatter(text);
    expect(parsed?.kind === "header" && Object.keys(parsed.data)).toHaveLength(keys);
    expect(parsed).toEqual(parseFrontMatter(text));
  });

  it.for([
    ["a comment after a value", "a: b # c\n"],
    ["a colon in a value", "a: b: c\n"],
    ["a flow list of numbers", "a: [1]\n"],
    ["a number in JSON", 'a: ["b", 1]\n'],
    ["a repeated key in JSON", 'a: {"b": "1", "b": "2"}\n'],
    ["JSON with other spaces", 'a: {"b":"1"}\n'],
    ["a comment after JSON", 'a: ["b c"] # d\n'],
    ["JSON with an escape that is not needed", 'a: ["\\u0041 b"]\n'],
    ["an unclosed list in JSON", 'a: ["b c"\n'],
    ["a key that every object has in JSON", 'a: {"__proto__": "x"}\n'],
    ["a block scalar", "a: |\n  b\n"],
    ["a value of two lines", "a: b\n  c\n"],
    ["a number", "a: 12\n"],
    ["a reserved word", "a: Null\n"],
    ["a reserved word as a key", "true: a\n"],
    ["a repeated key", "a: b\na: c\n"],
    ["a repeated nested key", "a:\n  b: c\n  b: d\n"],
    ["a key that every object has", "constructor: b\n"],
    ["a single quote", "a: 'b'\n"],
    ["an unclosed quote", 'a: "b\n'],
    ["an escape that only YAML knows", 'a: "\\x41"\n'],
    ["a tab", "a: b\tc\n"],
    ["a trailing space", "a: b \n"],
    ["an alias", "a: *b\n"],
    ["uneven indentation", "a:\n  - b\n - c\n"],
    ["a map after a list", "a:\n  - b\n  c: d\n"],
    ["an item without a list", "a: b\n- c\n"],
  ] as const)("parsePlainFrontMatter leaves %s to the YAML parser", ([, header]) => {
    expect(parsePlainFrontMatter(`---\n${header}---\n`)).toBeUndefined();
  });

  it.for(["", "no header\n", "----\n", "---js\n---\n", "---\na: b\n", "---\na: b\n--- \n"])(
    "parsePlainFrontMatter reports the same as the YAML reader for %j",
    (text) => {
      expect(parsePlainFrontMatter(text)).toEqual(parseFrontMatter(text));
    },
  );

  it("parsePlainFrontMatter never reads a header differently from YAML", () => {
    const mark = constantFrom(..."\"'\\:#-[]{},&*!|>%@`?~=. \t\u0085\u00A0\u2028\uFEFF".split(""));
    const word = constantFrom(
      "a",
      "b c",
      "true",
      "No",
      "NULL",
      "y",
      "12",
      "1e3",
      "é",
      "\\n",
      "\\ud83d",
      "\\u00e9",
    );
    const pieces = array(oneof(mark, word, word), { maxLength: 5 }).map((parts) => parts.join(""));
    const anyText = oneof(pieces, string({ unit: "binary", maxLength: 3 }));
    const lists = array(anyText, { maxLength: 2 });
    const maps = dictionary(oneof(constantFrom("a", "paths", "1", "__proto__"), anyText), lists, {
      maxKeys: 2,
    });
    const flow = oneof(lists, maps, array(maps, { maxLength: 2 }));
    const value = oneof(
      pieces,
      pieces.map((text) => `"${text}"`),
      pieces.map((text) => `a${text}`),
      string({ unit: "grapheme", maxLength: 5 }).map((text) => JSON.stringify(text)),
      flow.map(renderFlow),
      flow.map((json) => JSON.stringify(json)),
    );
    const key = constantFrom(
      "a",
      "b",
      "description",
      "on",
      "null",
      "__proto__",
      "_x-1",
      " a",
      "a b",
    );
    const entry = tuple(key, constantFrom(": ", ": ", ": ", ":", ":  "), value);
    const indented = tuple(constantFrom("  ", "", " "), constantFrom("- ", "b: ", "c: "), value);
    const line = oneof(
      entry.map((parts) => parts.join("")),
      indented.map((parts) => parts.join("")),
      constantFrom("a:", "b:", "# comment", "", "  # comment"),
    );
    let read = 0;
    assert(
      property(array(line, { minLength: 1, maxLength: 4 }), (lines) => {
        const text = `---\n${lines.join("\n")}\n---\nbody\n`;
        const parsed = parsePlainFrontMatter(text);
        if (parsed === undefined) return;
        read++;
        expect(parsed).toEqual(parseFrontMatter(text));
      }),
      { numRuns: 3_000 },
    );
    expect(read).toBeGreaterThan(300);
  });

  it("parsePlainHeader accepts the mistakes of hand-written headers when the syntax is forgiving", () => {
    const syntax = { readScalar: (source: string) => source.trim(), isForgiving: true };
    const header = "- stray\na: *.ts\na: second\nb:\n\t- one\n  - two\n# comment\n";
    expect(parsePlainHeader(header, syntax)).toEqual({ a: "*.ts", b: ["one", "two"] });
    expect(parsePlainHeader("a:\n  nested: map\n", syntax)).toBeUndefined();
  });
});
