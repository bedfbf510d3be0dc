import { expect, it } from "vitest";
import { isRecord, parseJson, parseJsonRecord } from "../src/json.ts";

it.for([
  ['{"a":1}', { a: 1 }],
  ["[1]", [1]],
  ["null", null],
  ["", undefined],
  ["{", undefined],
  ["undefined", undefined],
  ["[".repeat(1_000_000), undefined],
] as const)("parseJson evaluates %j", ([text, expected]) => {
  expect(parseJson(text)).toEqual(expected);
});

it.for([
  [{}, true],
  [[], false],
  [null, false],
  ["a", false],
  [undefined, false],
] as const)("isRecord of %j is %j", ([value, expected]) => {
  expect(isRecord(value)).toBe(expected);
});

it("parseJsonRecord returns only objects", () => {
  expect(parseJsonRecord('{"a":1}')).toEqual({ a: 1 });
  expect(["[]", "1", "{", "null"].map(parseJsonRecord)).toEqual(Array(4).fill(undefined));
});
