import { KINDS } from "../segment/segment.ts";
import type { OpenSegment } from "../segment/open-segment.ts";
import { SATURATION } from "./weights.ts";

/**
 * What ranking needs of all segments together; made anew when one of them changes. Documents are numbered through: those of
 * the first segment, then those of the second, and so on.
 */
export interface CollectionView {
  readonly parts: readonly ViewPart[];
  /** How many numbers there are; documents that are gone keep theirs. */
  readonly size: number;
  /** How many documents are there. */
  readonly live: number;
  /** Of each document, the number of its kind, or `GONE`. */
  readonly kinds: Uint8Array;
  /** Of each document, how many of a word it takes to count half. */
  readonly halfway: Float64Array;
  /** Room to add up scores in: zero between two searches. */
  readonly scores: Float64Array;
  /** Room for the numbers of documents that were met. */
  readonly met: Uint32Array;
}

/** Stands in place of the kind of a document that was removed. */
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
    for (let at = 0; at < lengths.length; at++) if (open.removed[at] === 0) words += lengths[at] ?? 0;
  }
  const average = Math.max(1, words / Math.max(1, live));
  const room = { scores: new Float64Array(size), met: new Uint32Array(size) };
  return { parts, size, live, ...perDocument(parts, { size, average }), ...room };
}

function perDocument(
  parts: readonly ViewPart[],
  { size, average }: { readonly size: number; readonly average: number },
): Pick<CollectionView, "kinds" | "halfway"> {
  const kinds = new Uint8Array(size);
  const halfway = new Float64Array(size);
  const least = KINDS.map((kind) => SATURATION[kind].k1 * (1 - SATURATION[kind].b));
  const perWord = KINDS.map((kind) => (SATURATION[kind].k1 * SATURATION[kind].b) / average);
  for (const { open, first } of parts) {
    const { lengths, kinds: own } = open.segment;
    for (let at = 0; at < lengths.length; at++) {
      const kind = own[at] ?? 0;
      halfway[first + at] = (least[kind] ?? 0) + (perWord[kind] ?? 0) * (lengths[at] ?? 0);
      kinds[first + at] = open.removed[at] === 1 ? REMOVED : kind;
    }
  }
  return { kinds, halfway };
}

/** The segment of a document, and its number there. */
export function locate(
  { parts }: CollectionView,
  document: number,
): { readonly open: OpenSegment; readonly at: number } {
  const part = parts.findLast(({ first }) => first <= document);
  if (part === undefined) throw new RangeError(`no document has the number ${document}`);
  return { open: part.open, at: document - part.first };
}
