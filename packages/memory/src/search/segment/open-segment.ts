import { bytesAt, textAt, unpackTexts } from "./packed-texts.ts";
import type { Segment } from "./segment.ts";

/** A segment in use: what is gone from it is marked, and taken out when segments are merged. */
export interface OpenSegment {
  readonly segment: Segment;
  /** 1 for each document that was removed or replaced. */
  readonly gone: Uint8Array;
  readonly goneCount: () => number;
  /** Marks a document as gone; false where there is none of that id, or it is gone already. */
  readonly remove: (id: string) => boolean;
  /** Marks all documents as gone whose id, as UTF-8, passes; says how many there were. */
  readonly removeAll: (isMeant: (id: Uint8Array) => boolean) => number;
  readonly idOf: (document: number) => string;
}

export function openSegment(
  segment: Segment,
  gone: Uint8Array = new Uint8Array(segment.lengths.length),
): OpenSegment {
  let goneCount = 0;
  for (const isGone of gone) goneCount += isGone;
  let places: ReadonlyMap<string, number> | undefined;
  const placeOf = (id: string): number | undefined => {
    // Who only searches needs no table of all ids.
    places ??= new Map(unpackTexts(segment.ids).map((each, at) => [each, at]));
    return places.get(id);
  };
  return {
    segment,
    gone,
    goneCount: () => goneCount,
    remove: (id) => {
      const place = placeOf(id);
      if (place === undefined || gone[place] === 1) return false;
      gone[place] = 1;
      goneCount++;
      return true;
    },
    removeAll: (isMeant) => {
      const before = goneCount;
      for (let at = 0; at < gone.length; at++) {
        if (gone[at] === 1 || !isMeant(bytesAt(segment.ids, at))) continue;
        gone[at] = 1;
        goneCount++;
      }
      return goneCount - before;
    },
    idOf: (document) => textAt(segment.ids, document),
  };
}
