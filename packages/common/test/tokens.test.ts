import * as fc from "fast-check";
import { expect, it } from "vitest";
import { tokensToBytes, estimateTokens, bytesToTokens, utf8Bytes } from "../src/tokens.ts";

it.for([
  ["", 0],
  ["abc", 1],
  ["abcd", 1],
  ["abcde", 2],
  ["日本", 2],
  ["🙂", 1],
] as const)("counts %j as %j tokens", ([text, tokens]) => {
  expect(estimateTokens(text)).toBe(tokens);
});

/** Texts with halves of pairs in them, too. */
const halves = fc
  .array(fc.constantFrom("a", "ä", "\u07FF", "\u0800", "日", "\uD83D", "\uDE42", "\uFFFF"), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));

it("counts bytes as the disk does", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), halves), (text) => {
      expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
      const long = text + "x".repeat(65_536) + text;
      expect(utf8Bytes(long)).toBe(Buffer.byteLength(long));
    }),
  );
});

it("finds the most bytes that a number of tokens holds", () => {
  fc.assert(
    fc.property(fc.nat(50), (tokens) => {
      expect(bytesToTokens(tokensToBytes(tokens))).toBe(tokens);
      expect(bytesToTokens(tokensToBytes(tokens) + 1)).toBe(tokens + 1);
    }),
  );
});
