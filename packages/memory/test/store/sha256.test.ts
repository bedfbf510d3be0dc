import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sha256Hex } from "../../src/store/sha256.ts";

it("computes the same SHA-256 as Node for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
  );
});

it("computes the same SHA-256 as Node around the block size", () => {
  for (const length of [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128]) {
    const text = "x".repeat(length);
    expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
  }
});
