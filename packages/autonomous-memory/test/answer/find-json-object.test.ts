import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonObject } from "../../src/answer/find-json-object.ts";
import { processorMs } from "../../../../test/support/processor-time.ts";

const found = (text: string): unknown => {
  const result = findJsonObject(text, ["a"]);
  return result.kind === "object" ? result.object : result.kind;
};

describe("the object of an answer", () => {
  it.for([
    ["alone", '{"a":1}'],
    ["between blanks", ' \n{"a":1}\n'],
    ["in a fence", '```json\n{"a":1}\n```'],
    ["between prose", 'Here it is:\n{"a":1}\nI hope that helps.'],
    ["behind braces that are none", 'In {this} form, {}: {"a":1}'],
    ["behind one that is broken", '{"a": oops} {"a":1}'],
    ["behind one that does not end", '{"b { {"a":1}'],
    ["behind one with other keys", 'Like {"b":2}: {"a":1}'],
    ["before another one", '{"a":1} {"b":2}'],
    ["spread over lines", '{\n\t"a":\n1}.'],
  ] as const)("is found %s", ([, text]) => {
    expect(found(text)).toEqual({ a: 1 });
  });

  it.for([
    ["braces", "}{"],
    ["quotes", 'a "b'],
    ["backslashes", "\\"],
    ["an escaped quote", '\\"}'],
    ["a fence", "```"],
  ] as const)("may have %s in its strings", ([, text]) => {
    const answer = { a: text, b: { c: [text] } };
    expect(found(`Sure. ${JSON.stringify(answer)} Done.`)).toEqual(answer);
  });

  it("is one with other keys when there is none with ours", () => {
    expect(found('It is {"b":2}, not {"c":3}.')).toEqual({ b: 2 });
  });

  it.for([
    ["cut", '{"a": 1, "b": "x'],
    ["cut", 'Sure: {"a": {"b": 1}'],
    ["none", "I cannot do that."],
    ["none", ""],
    ["none", "{ not json }"],
    ["none", '{"a": oops}'],
    ["other", "[1]"],
    ["other", '[{"a":1}]'],
    ["other", '"text"'],
    ["other", "null"],
  ] as const)("is %s in %j", ([kind, text]) => {
    expect(found(text)).toBe(kind);
  });

  it("is the one that was put between words without braces", () => {
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
    "is looked for in a megabyte of %j in bounded time",
    (piece) => {
      const start = processorMs();
      findJsonObject(piece.repeat(1_048_576 / piece.length), ["b"]);
      expect(processorMs() - start).toBeLessThan(2_000);
    },
  );
});
