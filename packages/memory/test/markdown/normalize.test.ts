import { expect, it } from "vitest";
import { normalizeText } from "../../src/markdown/normalize.ts";

it.for([
  ["\uFEFF# Title\n", "# Title\n"],
  ["a\r\nb\r\n", "a\nb\n"],
  ["a\rb", "a\nb"],
  ["a\0b", "a\uFFFDb"],
  ["plain\n", "plain\n"],
] as const)("normalizes %j to %j", ([text, expected]) => {
  expect(normalizeText(text)).toBe(expected);
});
