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
] as const)("estimateTokens counts %j as %j tokens", ([text, tokens]) => {
  expect(estimateTokens(text)).toBe(tokens);
});

/** Texts that may contain lone surrogates. */
const halves = fc
  .array(fc.constantFrom("a", "ä", "\u07FF", "\u0800", "日", "\uD83D", "\uDE42", "\uFFFF"), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));

it("utf8Bytes counts the bytes that a file would have", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), halves), (text) => {
      expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
      const long = text + "x".repeat(65_536) + text;
      expect(utf8Bytes(long)).toBe(Buffer.byteLength(long));
    }),
  );
});

it("tokensToBytes returns the largest number of bytes for a number of tokens", () => {
  fc.assert(
    fc.property(fc.nat(50), (tokens) => {
      expect(bytesToTokens(tokensToBytes(tokens))).toBe(tokens);
      expect(bytesToTokens(tokensToBytes(tokens) + 1)).toBe(tokens + 1);
    }),
  );
});
