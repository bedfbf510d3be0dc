import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonObject } from "../../src/prompts/find-json-object.ts";

const found = (text: string): unknown => {
  const result = findJsonObject(text, ["a"]);
  return result.kind === "object" ? result.object : result.kind;
};

describe("findJsonObject", () => {
  it.for([
    ["alone", '{"a":1}'],
    ["between white space", ' \n{"a":1}\n'],
    ["in a fence", '```json\n{"a":1}\n```'],
    ["in prose", 'Here it is:\n{"a":1}\nI hope that helps.'],
    ["after braces that are not an object", 'In {this} form, {}: {"a":1}'],
    ["after a broken one", '{"a": oops} {"a":1}'],
    ["after an unclosed one", '{"b { {"a":1}'],
    ["after one with other keys", 'Like {"b":2}: {"a":1}'],
    ["before another one", '{"a":1} {"b":2}'],
    ["spread over lines", '{\n\t"a":\n1}.'],
  ] as const)("finds the object %s", ([, text]) => {
    expect(found(text)).toEqual({ a: 1 });
  });

  it.for([
    ["braces", "}{"],
    ["quotes", 'a "b'],
    ["backslashes", "\\"],
    ["an escaped quote", '\\"}'],
    ["a fence", "```"],
  ] as const)("accepts an object with %s in its strings", ([, text]) => {
    const answer = { a: text, b: { c: [text] } };
    expect(found(`Sure. ${JSON.stringify(answer)} Done.`)).toEqual(answer);
  });

  it("falls back to an object with other keys", () => {
    expect(found('It is {"b":2}, not {"c":3}.')).toEqual({ b: 2 });
  });

  it.for([
    ["truncated", '{"a": 1, "b": "x'],
    ["truncated", 'Sure: {"a": {"b": 1}'],
    ["none", "I cannot do that."],
    ["none", ""],
    ["none", "{ not json }"],
    ["none", '{"a": oops}'],
    ["other", "[1]"],
    ["other", '[{"a":1}]'],
    ["other", '"text"'],
    ["other", "null"],
  ] as const)("reports %s for %j", ([kind, text]) => {
    expect(found(text)).toBe(kind);
  });

  it("finds any object surrounded by text without braces", () => {
    const word = fc.constantFrom("a", '"', "\\", "'", "\n", "`", "[", ",", ":");
    const words = fc.array(word, { maxLength: 6 }).map((parts) => parts.join(""));
    const key = fc.constantFrom("b", '"', "}", "{");
    const value = fc.dictionary(key, fc.oneof(words, fc.integer(), fc.constant(null)), {
      maxKeys: 3,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(words, value, words, (before, others, after) => {
        const object = { ...others, a: before };
        const text = `${before} ${JSON.stringify(object)} ${after}`;
        expect(found(text)).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });

  it.for(["{", '{"', '{"a":', '{"a":{}', '"{', "\\", '{"}', "{ "])(
    "searches a megabyte of %j in linear time",
    // In quadratic time, this would take hours.
    { timeout: 60_000 },
    (piece) => {
      const { kind } = findJsonObject(piece.repeat(1_048_576 / piece.length), ["b"]);
      expect(kind).not.toBe("other");
    },
  );
});
