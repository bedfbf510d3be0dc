import { expect, it } from "vitest";
import { encodeCount, DECODED_COUNTS } from "../../../../src/search/engine/segment/segment.ts";

it("encodes small counts exactly", () => {
  for (let count = 1; count <= 128; count++) expect(DECODED_COUNTS[encodeCount(count)]).toBe(count);
});

it("encodes large counts with an error of at most three percent, up to the maximum", () => {
  for (let count = 129; count < 30_000; count += 7) {
    const kept = DECODED_COUNTS[encodeCount(count)] ?? 0;
    expect(Math.abs(kept - count) / count).toBeLessThan(0.03);
  }
  expect(encodeCount(1e12)).toBe(255);
});
