import type { FlatArray } from "../../search/engine/segment/array-bundle.ts";
import type { PackedTexts } from "../../search/engine/segment/segment.ts";

/** Reads some bytes, or fewer where the file ends. They start at a multiple of eight in their buffer. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

interface PackedLists {
  readonly size: (number: number) => number;
  readonly read: (number: number) => Uint32Array;
}

export interface Layout {
  readonly stamp: Uint8Array;
  /** Sorted by their bytes. */
  readonly terms: PackedTexts;
  /** By the number of a term. */
  readonly occurrences: PackedLists;
  readonly own: PackedLists;
  /** By the number of a passage. */
  readonly saturations: Float64Array;
  readonly passageTerms: PackedLists;
  readonly ends: Uint32Array;
  /** The names of entries, sorted by their bytes, and where the passages of each end. */
  readonly entries: PackedTexts;
  readonly entryEnds: Uint32Array;
  /** By the number of a record. */
  readonly records: number;
  readonly record: (number: number) => string;
  readonly applies: Uint32Array;
  readonly supersedes: Uint32Array;
}

/** In the order of `arraysOf`. `undefined` if there are too few arrays of a type. */
export function layoutOf(
  arrays: readonly FlatArray[],
  { read, at }: { readonly read: ReadBytes; readonly at: number },
): Layout | undefined {
  const bytes = arrays.filter((array) => array instanceof Uint8Array);
  const words = arrays.filter((array) => array instanceof Uint32Array);
  const saturations = arrays.find((array) => array instanceof Float64Array);
  if (bytes.length < TEXTS || words.length < LISTS || saturations === undefined) return undefined;
  const text = (number: number): Uint8Array => bytes[number] ?? NO_BYTES;
  const list = (number: number): Uint32Array => words[number] ?? NO_WORDS;
  const [occurrences, own, passageTerms, records] = [list(1), list(2), list(3), list(7)];
  const ownAt = at + WORD * (occurrences.at(-1) ?? 0);
  const termsAt = ownAt + WORD * (own.at(-1) ?? 0);
  const recordsAt = termsAt + WORD * (passageTerms.at(-1) ?? 0);
  const decoder = new TextDecoder();
  return {
    stamp: text(0),
    terms: { bytes: text(1), ends: list(0) },
    occurrences: listReader(read, at, occurrences),
    own: listReader(read, ownAt, own),
    saturations,
    passageTerms: listReader(read, termsAt, passageTerms),
    ends: list(4),
    entries: { bytes: text(2), ends: list(5) },
    entryEnds: list(6),
    records: records.length,
    record: (number) => {
      const { from, length } = rangeAt(records, number);
      return decoder.decode(read(recordsAt + from, length));
    },
    applies: list(8),
    supersedes: list(9),
  };
}

const TEXTS = 3;
const LISTS = 10;
const WORD = 4;
const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);

function listReader(read: ReadBytes, at: number, ends: Uint32Array): PackedLists {
  return {
    size: (number) => rangeAt(ends, number).length,
    read: (number) => {
      const { from, length } = rangeAt(ends, number);
      const bytes = read(at + 4 * from, 4 * length);
      return new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
    },
  };
}

/** None for a number that is too high, as in a damaged file. */
function rangeAt(
  ends: Uint32Array,
  number: number,
): { readonly from: number; readonly length: number } {
  const from = number === 0 ? 0 : (ends[number - 1] ?? 0);
  return { from, length: Math.max(0, (ends[number] ?? from) - from) };
}
