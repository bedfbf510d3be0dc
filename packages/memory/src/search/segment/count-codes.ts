/** Up to here a count is kept as it is. */
const EXACT = 128;
/** From there on, so many codes for each doubling: a step is less than five in a hundred, and that many more say little. */
const PER_DOUBLING = 16;

/** How often a term is in a document, as a byte. */
export function codeOfCount(count: number): number {
  if (count <= EXACT) return Math.max(1, Math.round(count));
  return Math.min(0xff, EXACT + Math.round(PER_DOUBLING * Math.log2(count / EXACT)));
}

/** What the codes stand for. */
export const COUNTS: Float64Array = Float64Array.from({ length: 0x1_00 }, (_, code) =>
  code <= EXACT ? code : EXACT * 2 ** ((code - EXACT) / PER_DOUBLING),
);
