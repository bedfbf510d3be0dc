import { array, assert, constantFrom, oneof, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontMatter } from "../../src/front-matter/front-matter.ts";
import { parsePlainFrontMatter } from "../../src/front-matter/plain-front-matter.ts";

describe("parsePlainFrontMatter", () => {
  it.for([
    ["plain texts", "name: a-b\ndescription: What it's for, in [short]\n", 2],
    ["quoted texts", 'description: "a: b # c \\"d\\" \\\\ \\u00e9 ` < …"\n', 1],
    ["true and false", "disable-model-invocation: true\nb: false\n", 2],
    ["more than one space before a value", "a:   b\n", 1],
  ] as const)("reads %s as YAML does", ([, header, keys]) => {
    const text = `---\n${header}---\nbody\n`;
    const parsed = parsePlainFrontMatter(text);
    expect(parsed?.kind === "header" && Object.keys(parsed.data)).toHaveLength(keys);
    expect(parsed).toEqual(parseFrontMatter(text));
  });

  it.for([
    ["nothing", ""],
    ["a comment", "a: b # c\n"],
    ["a colon", "a: b: c\n"],
    ["a list", "a: [b]\n"],
    ["a block", "a: |\n  b\n"],
    ["a second line", "a: b\n  c\n"],
    ["a blank line", "a: b\n\nc: d\n"],
    ["a number", "a: 12\n"],
    ["a word that YAML knows", "a: Null\n"],
    ["such a word as a key", "true: a\n"],
    ["a key given twice", "a: b\na: c\n"],
    ["a key that every object has", "constructor: b\n"],
    ["a single quote", "a: 'b'\n"],
    ["a quote that never ends", 'a: "b\n'],
    ["an escape of YAML alone", 'a: "\\x41"\n'],
    ["a tab", "a: b\tc\n"],
    ["a space at the end", "a: b \n"],
    ["an alias", "a: *b\n"],
  ] as const)("leaves %s to YAML", ([, header]) => {
    expect(parsePlainFrontMatter(`---\n${header}---\n`)).toBeUndefined();
  });

  it.for(["", "no header\n", "----\n", "---js\n---\n", "---\na: b\n", "---\na: b\n--- \n"])(
    "says the same of %j as the reader with YAML",
    (text) => {
      expect(parsePlainFrontMatter(text)).toEqual(parseFrontMatter(text));
    },
  );

  it("reads nothing otherwise than YAML, whatever the header", () => {
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
    const value = oneof(
      pieces,
      pieces.map((text) => `"${text}"`),
      pieces.map((text) => `a${text}`),
      string({ unit: "grapheme", maxLength: 5 }).map((text) => JSON.stringify(text)),
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
    const line = tuple(key, constantFrom(": ", ": ", ": ", ":", ":  "), value).map((parts) =>
      parts.join(""),
    );
    let read = 0;
    assert(
      property(array(line, { minLength: 1, maxLength: 3 }), (lines) => {
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
});
