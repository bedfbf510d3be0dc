import { bytesAt, indexOfText, textAt, unpackTexts } from "./packed-texts.ts";
import type { Segment } from "./segment.ts";

/** A segment in use. Removed documents are marked, and dropped when segments are merged. */
export interface OpenSegment {
  readonly segment: Segment;
  /** 1 for each document that was removed or replaced. */
  readonly removed: Uint8Array;
  readonly removedCount: () => number;
  /** Marks the documents with these ids as removed; returns how many there were. */
  readonly remove: (ids: readonly string[]) => number;
  /** Marks all documents as removed whose id, as UTF-8, matches; returns how many there were. */
  readonly removeAll: (matches: (id: Uint8Array) => boolean) => number;
  readonly idOf: (document: number) => string;
}

/** Up to this many ids are searched for one by one. */
const MAX_LINEAR_SEARCHES = 16;

export function openSegment(
  segment: Segment,
  removed: Uint8Array = new Uint8Array(segment.lengths.length),
): OpenSegment {
  let removedTotal = 0;
  for (let at = 0; at < removed.length; at++) removedTotal += removed[at] ?? 0;
  let positions: ReadonlyMap<string, number> | undefined;
  const positionOf = (id: string): number | undefined => {
    positions ??= new Map(unpackTexts(segment.ids).map((each, at) => [each, at]));
    return positions.get(id);
  };
  const mark = (position = -1): void => {
    if (removed[position] !== 0) return;
    removed[position] = 1;
    removedTotal++;
  };
  return {
    segment,
    removed,
    removedCount: () => removedTotal,
    remove: (ids) => {
      const before = removedTotal;
      // Building a table of all ids takes longer than searching for a few.
      const isWorthTable = positions !== undefined || ids.length > MAX_LINEAR_SEARCHES;
      for (const id of ids) mark(isWorthTable ? positionOf(id) : indexOfText(segment.ids, id));
      return removedTotal - before;
    },
    removeAll: (matches) => {
      const before = removedTotal;
      for (let at = 0; at < removed.length; at++) {
        if (removed[at] === 0 && matches(bytesAt(segment.ids, at))) mark(at);
      }
      return removedTotal - before;
    },
    idOf: (document) => textAt(segment.ids, document),
  };
}
