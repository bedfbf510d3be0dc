import { KINDS } from "../segment/segment.ts";
import type { OpenSegment } from "../segment/open-segment.ts";
import { SATURATION } from "./weights.ts";

/**
 * All segments together, prepared for ranking; created again when one of them changes. Documents are numbered across
 * segments: those of the first one, then those of the second, and so on.
 */
export interface CollectionView {
  readonly parts: readonly ViewPart[];
  /** The number of documents, including removed ones. */
  readonly size: number;
  /** The number of documents without removed ones. */
  readonly live: number;
  /** The kind of each document, or `REMOVED`. */
  readonly kinds: Uint8Array;
  /** For each document, how many occurrences of a word give half of its maximum score. */
  readonly halfway: Float64Array;
  /** Scratch space for scores: zero between searches. */
  readonly scores: Float64Array;
  /** Scratch space for the numbers of matching documents. */
  readonly matched: Uint32Array;
}

/** The kind of a removed document. */
export const REMOVED = 255;

export interface ViewPart {
  readonly open: OpenSegment;
  /** The number of its first document. */
  readonly first: number;
}

export function createView(segments: readonly OpenSegment[]): CollectionView {
  const parts: ViewPart[] = [];
  let size = 0;
  let live = 0;
  let words = 0;
  for (const open of segments) {
    const { lengths } = open.segment;
    parts.push({ open, first: size });
    size += lengths.length;
    live += lengths.length - open.removedCount();
    for (let at = 0; at < lengths.length; at++)
      if (open.removed[at] === 0) words += lengths[at] ?? 0;
  }
  const average = Math.max(1, words / Math.max(1, live));
  const scratch = { scores: new Float64Array(size), matched: new Uint32Array(size) };
  return { parts, size, live, ...perDocument(parts, { size, average }), ...scratch };
}

function perDocument(
  parts: readonly ViewPart[],
  { size, average }: { readonly size: number; readonly average: number },
): Pick<CollectionView, "kinds" | "halfway"> {
  const kinds = new Uint8Array(size);
  const halfway = new Float64Array(size);
  const base = KINDS.map((kind) => SATURATION[kind].k1 * (1 - SATURATION[kind].b));
  const perWord = KINDS.map((kind) => (SATURATION[kind].k1 * SATURATION[kind].b) / average);
  for (const { open, first } of parts) {
    const { lengths, kinds: own } = open.segment;
    for (let at = 0; at < lengths.length; at++) {
      const kind = own[at] ?? 0;
      halfway[first + at] = (base[kind] ?? 0) + (perWord[kind] ?? 0) * (lengths[at] ?? 0);
      kinds[first + at] = open.removed[at] === 1 ? REMOVED : kind;
    }
  }
  return { kinds, halfway };
}

/** The segment of a document, and its number in it. */
export function locate(
  { parts }: CollectionView,
  document: number,
): { readonly open: OpenSegment; readonly at: number } {
  const part = parts.findLast(({ first }) => first <= document);
  if (part === undefined) throw new RangeError(`no document with the number ${document}`);
  return { open: part.open, at: document - part.first };
}

/** A document without a time is stored with that of the infinite past. */
export function knownTime(time: number | undefined): number | undefined {
  return time === undefined || time === -Infinity ? undefined : time;
}

export function idAt(view: CollectionView, document: number): string {
  const { open, at } = locate(view, document);
  return open.idOf(at);
}
