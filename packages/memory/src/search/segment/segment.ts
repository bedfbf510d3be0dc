import type { DocumentKind } from "../document.ts";

/**
 * A part of an index that does not change: documents and, for each term, which of them hold it. Everything is in flat
 * arrays, so that it is as small in memory as on the disk and is taken up again without being parsed.
 *
 * Texts are UTF-8, one behind the other in one array; `ends` says where each of them ends.
 */
export interface Segment {
  /** In the order of their bytes. */
  readonly terms: PackedTexts;
  /** The documents of term `t` are those from `starts[t]` to before `starts[t + 1]`. */
  readonly starts: Uint32Array;
  readonly documents: DocumentNumbers;
  /** How often the term is in the document, by the weights of the fields, as codes. */
  readonly counts: Uint8Array;
  /** Of each document, how many words it has. */
  readonly lengths: Uint32Array;
  readonly kinds: Uint8Array;
  readonly times: Float64Array;
  readonly ids: PackedTexts;
  /** Of each document, which of `typeNames` it has. */
  readonly types: Uint32Array;
  readonly typeNames: PackedTexts;
  /** Of each document, which of `sessionNames` it belongs to. */
  readonly sessions: Uint32Array;
  readonly sessionNames: PackedTexts;
  readonly turns: Float64Array;
  /** Of each document, a vector of unit length; none where no document has one. */
  readonly vectors: Float32Array;
}

export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** In the order of their numbers in a segment. */
export const KINDS: readonly DocumentKind[] = ["topic", "section", "skill", "turn", "session"];

/** The narrower of the two where it is wide enough: most of an index are such numbers. */
export type DocumentNumbers = Uint16Array | Uint32Array;

/** Room for numbers of documents of a segment of `size`. */
export function createDocumentNumbers(length: number, size: number): DocumentNumbers {
  return size > 0x1_00_00 ? new Uint32Array(length) : new Uint16Array(length);
}

/** Up to here a count is kept as it is. */
const EXACT = 128;
/** From there on, so many codes for each doubling: a step is less than five in a hundred, and that many more say little. */
const PER_DOUBLING = 16;

/** How often a term is in a document, as a byte. */
export function encodeCount(count: number): number {
  if (count <= EXACT) return Math.max(1, Math.round(count));
  return Math.min(0xff, EXACT + Math.round(PER_DOUBLING * Math.log2(count / EXACT)));
}

/** What the codes stand for. */
export const DECODED_COUNTS: Float64Array = Float64Array.from({ length: 0x1_00 }, (_, code) =>
  code <= EXACT ? code : EXACT * 2 ** ((code - EXACT) / PER_DOUBLING),
);

/**
 * Vectors one behind the other, each of unit length, so that a product is a cosine. A document without one has zeros;
 * where no document has one there is nothing at all.
 */
export function packVectors(vectors: readonly (ArrayLike<number> | undefined)[]): Float32Array {
  const width = vectors.find((vector) => vector !== undefined && vector.length > 0)?.length ?? 0;
  const packed = new Float32Array(width === 0 ? 0 : vectors.length * width);
  for (const [at, vector] of vectors.entries()) {
    if (vector !== undefined) packed.set(unitVector(vector, width), at * width);
  }
  return packed;
}

/** The direction of a vector; of another width than the others it has none. */
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

/** How many numbers a vector of a segment has; 0 where it has none. */
export function vectorWidth({ vectors, lengths }: Pick<Segment, "vectors" | "lengths">): number {
  return lengths.length === 0 ? 0 : vectors.length / lengths.length;
}
