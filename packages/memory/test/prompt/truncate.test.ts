import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Block } from "../../src/prompt/tier.ts";
import { truncateBody, truncateLines } from "../../src/prompt/truncate.ts";

const block = (body: string): Block => ({
  tier: "project",
  kind: "instructions",
  path: "/p",
  body,
  removedBytes: 0,
});

it.for([
  ["one\ntwo\nthree\n", 14, "one\ntwo\nthree\n", 0],
  ["one\ntwo\nthree\n", 13, "one\ntwo\n", 6],
  ["one\ntwo\nthree\n", 8, "one\ntwo\n", 6],
  ["one\ntwo\nthree\n", 7, "one\n", 10],
  ["one\ntwo\nthree\n", 3, "one", 11],
  ["日本語", 7, "日本", 3],
  ["🙂🙂", 7, "🙂", 4],
  ["abc", 0, "", 3],
  ["abc", -5, "", 3],
] as const)(
  "truncates %j at %j bytes to %j with %j bytes removed",
  ([body, max, kept, removedBytes]) => {
    expect(truncateBody(block(body), max)).toMatchObject({ body: kept, removedBytes });
  },
);

it("accounts for every byte of any text and never splits a character", () => {
  const text = fc.array(fc.constantFrom("a", "é", "日", "🙂", "\n"), { maxLength: 8 });
  fc.assert(
    fc.property(text, fc.nat(12), (characters, max) => {
      const body = characters.join("");
      const cut = truncateBody(block(body), max);
      expect(Buffer.byteLength(cut.body)).toBeLessThanOrEqual(Math.max(max, 0));
      expect(Buffer.byteLength(cut.body) + cut.removedBytes).toBe(Buffer.byteLength(body));
      expect(body.startsWith(cut.body)).toBe(true);
      expect(cut.body).toBe(cut.body.toWellFormed());
    }),
  );
});

it.for([
  ["a\nb\nc\n", 3, "a\nb\nc\n", 0],
  ["a\nb\nc", 3, "a\nb\nc", 0],
  ["a\nb\nc\n", 2, "a\nb\n", 2],
  ["a\nb\nc", 2, "a\nb\n", 1],
  ["é\né", 1, "é\n", 2],
] as const)(
  "truncates %j at %j lines to %j with %j bytes removed",
  ([body, max, kept, removedBytes]) => {
    expect(truncateLines(block(body), max)).toMatchObject({ body: kept, removedBytes });
  },
);

it("adds up the bytes that several truncations removed", () => {
  const twice = truncateBody(truncateLines(block("a\nb\nc\n"), 2), 2);
  expect(twice).toMatchObject({ body: "a\n", removedBytes: 4 });
});
