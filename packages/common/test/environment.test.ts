import { expect, it } from "vitest";
import { parsePositiveInteger, parseFlag } from "../src/environment.ts";

it.for([
  ["1", true],
  ["true", true],
  ["YES", true],
  [" On ", true],
  ["0", false],
  ["False", false],
  ["no", false],
  ["off", false],
  ["", false],
  ["2", undefined],
  ["enabled", undefined],
] as const)("parseFlag reads %j as %j", ([text, expected]) => {
  expect(parseFlag(text)).toBe(expected);
});

it.for([
  ["1", 1],
  ["8000", 8000],
  ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ["9007199254740993", undefined],
  ["0", undefined],
  ["007", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["8.0", undefined],
  [" 8", undefined],
  ["nan", undefined],
  ["", undefined],
] as const)("parsePositiveInteger reads %j as %j", ([text, expected]) => {
  expect(parsePositiveInteger(text)).toBe(expected);
});
