import { bytesAt, indexOfText, textAt, unpackTexts } from "./packed-texts.ts";
import type { Segment } from "./segment.ts";

/** A segment in use: what is gone from it is marked, and taken out when segments are merged. */
export interface OpenSegment {
  readonly segment: Segment;
  /** 1 for each document that was removed or replaced. */
  readonly removed: Uint8Array;
  readonly removedCount: () => number;
  /** Marks the documents of these ids as gone; says how many were there. */
  readonly remove: (ids: readonly string[]) => number;
  /** Marks all documents as gone whose id, as UTF-8, passes; says how many there were. */
  readonly removeAll: (isMeant: (id: Uint8Array) => boolean) => number;
  readonly idOf: (document: number) => string;
}

/** So many ids are looked for one by one. */
const FEW = 16;

export function openSegment(
  segment: Segment,
  gone: Uint8Array = new Uint8Array(segment.lengths.length),
): OpenSegment {
  let goneCount = 0;
  for (let at = 0; at < gone.length; at++) goneCount += gone[at] ?? 0;
  let places: ReadonlyMap<string, number> | undefined;
  const placeOf = (id: string): number | undefined => {
    places ??= new Map(unpackTexts(segment.ids).map((each, at) => [each, at]));
    return places.get(id);
  };
  const mark = (place = -1): void => {
    if (gone[place] !== 0) return;
    gone[place] = 1;
    goneCount++;
  };
  return {
    segment,
    removed: gone,
    removedCount: () => goneCount,
    remove: (ids) => {
      const before = goneCount;
      // A table of all ids takes longer than to look for a few.
      const isWorthTable = places !== undefined || ids.length > FEW;
      for (const id of ids) mark(isWorthTable ? placeOf(id) : indexOfText(segment.ids, id));
      return goneCount - before;
    },
    removeAll: (isMeant) => {
      const before = goneCount;
      for (let at = 0; at < gone.length; at++) {
        if (gone[at] === 0 && isMeant(bytesAt(segment.ids, at))) mark(at);
      }
      return goneCount - before;
    },
    idOf: (document) => textAt(segment.ids, document),
  };
}
