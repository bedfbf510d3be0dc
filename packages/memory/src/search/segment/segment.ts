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
