import * as fc from "fast-check";
import { expect, it } from "vitest";
import { visibleText, visibleWord } from "../../src/trust/visible-text.ts";

it.for([
  ["a\u001B[2Kb", '"a\\u{1b}[2Kb"'],
  ["a\nrm -rf ~", '"a\\u{a}rm -rf ~"'],
  ["a\rb", '"a\\u{d}b"'],
  ["\u202Eevil", '"\\u{202e}evil"'],
  ["a\u200Bb", '"a\\u{200b}b"'],
  ["a\u00A0b", '"a\\u{a0}b"'],
  ["\u3164", '"\\u{3164}"'],
  ["a    b", '"a \\u{20}\\u{20}\\u{20}b"'],
  ['"; x', '"\\"; x"'],
  ["\\u{41}", '"\\\\u{41}"'],
  ["\u{E0041}", '"\\u{e0041}"'],
  ["größe", "größe"],
] as const)("shows the word %j as %s", ([text, expected]) => {
  expect(visibleWord(text)).toBe(expected);
});

it("shows different words differently, in visible characters only", () => {
  const character = fc.constantFrom("a", " ", '"', "\\", "\n", "\u202E", "u{a}", "\u200B");
  const word = fc.array(character, { maxLength: 4 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(visibleWord(one) === visibleWord(other)).toBe(one === other);
      expect(visibleWord(one)).toMatch(/^[!-~ ]*$/);
      expect(visibleText(one)).not.toMatch(/ {2}/);
    }),
  );
});
