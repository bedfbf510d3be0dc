import { expect, it } from "vitest";
import { encodeCount, DECODED_COUNTS } from "../../../src/search/segment/segment.ts";

it("keeps small counts as they are", () => {
  for (let count = 1; count <= 128; count++) expect(DECODED_COUNTS[encodeCount(count)]).toBe(count);
});

it("keeps large counts to within three in a hundred, and the largest as the largest there is", () => {
  for (let count = 129; count < 30_000; count += 7) {
    const kept = DECODED_COUNTS[encodeCount(count)] ?? 0;
    expect(Math.abs(kept - count) / count).toBeLessThan(0.03);
  }
  expect(encodeCount(1e12)).toBe(255);
});
