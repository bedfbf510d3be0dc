import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  terminalSafe,
  terminalSafeJson,
  terminalSafeJsonLine,
  terminalSafeLine,
} from "../src/terminal-safe.ts";

it.for([
  ["\u001B[31mred", "\\u{1b}[31mred"],
  ["\u001B]52;c;eA==\u0007", "\\u{1b}]52;c;eA==\\u{7}"],
  ["\u009B31m", "\\u{9b}31m"],
  ["a\u202Eb", "a\\u{202e}b"],
  ["a\rb", "a\\u{d}b"],
  ["tab\tand\nline", "tab\tand\nline"],
  ["naïve 日本 🙂", "naïve 日本 🙂"],
] as const)("terminalSafe shows %j as %j", ([text, expected]) => {
  expect(terminalSafe(text)).toBe(expected);
});

it("terminalSafeJson escapes control characters without changing the value", () => {
  const value = { path: "/a\u009B31m\u202E\u007F\n", deep: ["\u001B"] };
  const json = terminalSafeJson(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toBe(terminalSafe(json));
});

it("terminalSafeJsonLine escapes control characters without changing the value", () => {
  const value = { path: "/a\u009B31m\u202E\u007F\n\u2028", deep: ["\u001B"] };
  const json = terminalSafeJsonLine(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toBe(terminalSafeLine(json));
});

it("terminalSafeLine keeps a text on one line", () => {
  expect(terminalSafeLine("a\nb\u2028c")).toBe("a\\u{a}b\\u{2028}c");
});

it("terminalSafe leaves no control character in any text", () => {
  const unit = fc.oneof(fc.nat(0xa0), fc.integer({ min: 0x2000, max: 0x2070 }));
  fc.assert(
    fc.property(fc.array(unit), (codes) => {
      const safe = terminalSafe(String.fromCodePoint(...codes));
      expect(safe).toMatch(/^(?:[^\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]|[\n\t])*$/u);
    }),
  );
});
