import type { DocumentKind } from "../document.ts";

/**
 * An immutable part of an index: documents and, for each term, which of them contain it. Everything is in flat arrays, so
 * that it is as small in memory as on disk and can be loaded without parsing.
 *
 * Texts are UTF-8, one after the other in one array; `ends` has the end of each.
 */
export interface Segment {
  /** Sorted by their bytes. */
  readonly terms: PackedTexts;
  /** The documents of term `t` are at `starts[t]` up to, but not including, `starts[t + 1]`. */
  readonly starts: Uint32Array;
  readonly documents: DocumentNumbers;
  /** The occurrences of the term in the document, weighted by field and encoded. */
  readonly counts: Uint8Array;
  /** The number of words of each document. */
  readonly lengths: Uint32Array;
  readonly kinds: Uint8Array;
  readonly times: Float64Array;
  readonly ids: PackedTexts;
  /** The type of each document, as an index into `typeNames`. */
  readonly types: Uint32Array;
  readonly typeNames: PackedTexts;
  /** The session of each document, as an index into `sessionNames`. */
  readonly sessions: Uint32Array;
  readonly sessionNames: PackedTexts;
  readonly turns: Float64Array;
  /** A unit vector for each document; empty if no document has one. */
  readonly vectors: Float32Array;
}

export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** The kinds in the order of their numbers in a segment. */
export const KINDS: readonly DocumentKind[] = ["topic", "section", "skill", "turn", "session"];

/** The smaller type if it is large enough: most of an index consists of these numbers. */
export type DocumentNumbers = Uint16Array | Uint32Array;

/** An array for document numbers of a segment with `size` documents. */
export function createDocumentNumbers(length: number, size: number): DocumentNumbers {
  return size > 0x1_00_00 ? new Uint32Array(length) : new Uint16Array(length);
}

/** Counts up to this are exact. */
const EXACT = 128;
/** Above it, the codes per doubling: a step is less than five percent, which hardly changes a score. */
const PER_DOUBLING = 16;

/** Encodes the number of occurrences of a term as a byte. */
export function encodeCount(count: number): number {
  if (count <= EXACT) return Math.max(1, Math.round(count));
  return Math.min(0xff, EXACT + Math.round(PER_DOUBLING * Math.log2(count / EXACT)));
}

/** The count of each code. */
export const DECODED_COUNTS: Float64Array = Float64Array.from({ length: 0x1_00 }, (_, code) =>
  code <= EXACT ? code : EXACT * 2 ** ((code - EXACT) / PER_DOUBLING),
);

/**
 * Packs vectors one after the other, normalized to unit length, so that a dot product is a cosine. A document without a
 * vector has zeros; if no document has one, the result is empty.
 */
export function packVectors(vectors: readonly (ArrayLike<number> | undefined)[]): Float32Array {
  const width = vectors.find((vector) => vector !== undefined && vector.length > 0)?.length ?? 0;
  const packed = new Float32Array(width === 0 ? 0 : vectors.length * width);
  for (const [at, vector] of vectors.entries()) {
    if (vector !== undefined) packed.set(unitVector(vector, width), at * width);
  }
  return packed;
}

/** Normalizes a vector; one of another dimension becomes zero. */
export function unitVector(vector: ArrayLike<number>, width: number): Float32Array {
  const unit = new Float32Array(width);
  if (vector.length !== width) return unit;
  let square = 0;
  for (let at = 0; at < width; at++) square += (vector[at] ?? 0) ** 2;
  const length = Math.sqrt(square);
  if (!(length > 0 && Number.isFinite(length))) return unit;
  for (let at = 0; at < width; at++) unit[at] = (vector[at] ?? 0) / length;
  return unit;
}

/** The dimension of the vectors of a segment; 0 if it has none. */
export function vectorWidth({ vectors, lengths }: Pick<Segment, "vectors" | "lengths">): number {
  return lengths.length === 0 ? 0 : vectors.length / lengths.length;
}
