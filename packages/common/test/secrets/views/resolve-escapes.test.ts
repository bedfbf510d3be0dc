import { expect, it } from "vitest";
import { resolveEscapes } from "../../../src/secrets/views/resolve-escapes.ts";

it.for([
  ["a%3Ab%2f%7E", "a:b/~"],
  ["100%25 %0A %C3%A9 %zz", "100% %0A %C3%A9 %zz"],
  ["&#103;&#x68;&colon;&unknown;&#9999999;", "gh:&unknown;&#9999999;"],
  [String.raw`\u0067\x68\u{70}\n\u00e9`, String.raw`ghp\n\u00e9`],
  // Once: what the result encodes in turn stays.
  ["%2541 &amp;#65;", "%41 &#65;"],
  ["export A=one\\\n   two", "export A=onetwo"],
  ["echo one \\\n  two", "echo one \\\n  two"],
  [`"one" + "two"`, `"onetwo"`],
  [`'one'+\n  'two'`, `'onetwo'`],
  [`"one"\n  . "two" .. "three"`, `"onetwothree"`],
  [`"one" || "two" & "three" ++ "four" <> "five"`, `"onetwothreefourfive"`],
  [`"one" + 'two'`, `"one" + 'two'`],
  [`split(".") + ["+", "&"]`, `split(".") + ["+", "&"]`],
] as const)("resolveEscapes reads %j as %j", ([text, expected]) => {
  expect(resolveEscapes(text).text).toBe(expected);
});

it("resolveEscapes leaves out what is far from an escape, and cuts no word in two", () => {
  const { text } = resolveEscapes(`${"bypass ".repeat(500)}%41${" compass".repeat(500)}`);
  expect(text.length).toBeLessThan(2_200);
  const words = new Set(text.split(/\s+/).filter((word) => word.includes("pass")));
  expect([...words].toSorted()).toEqual(["bypass", "compass"]);
});
