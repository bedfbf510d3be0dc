import { findText } from "../segment/packed-texts.ts";
import type { CollectionView } from "./collection-view.ts";

/** Where the documents of a term are. */
export interface TermPostings {
  /** How often the query names it. */
  readonly times: number;
  /** How many documents hold it. */
  readonly documents: number;
  readonly runs: readonly PostingRun[];
}

/** Those of one segment. */
export interface PostingRun {
  readonly first: number;
  readonly documents: Uint32Array;
  readonly counts: Uint16Array;
}

/** Terms that no document holds are left out. */
export function findPostings(
  { parts }: CollectionView,
  terms: ReadonlyMap<string, number>,
): readonly TermPostings[] {
  return [...terms].flatMap(([term, times]) => {
    const runs = parts.flatMap(({ open: { segment }, first }): readonly PostingRun[] => {
      const place = findText(segment.terms, term);
      if (place === -1) return [];
      const [from, to] = [segment.starts[place], segment.starts[place + 1]];
      const { documents, counts } = segment;
      return [
        { first, documents: documents.subarray(from, to), counts: counts.subarray(from, to) },
      ];
    });
    const documents = runs.reduce((sum, run) => sum + run.documents.length, 0);
    return documents === 0 ? [] : [{ times, documents, runs }];
  });
}

/** How much a term tells: the rarer, the more. */
export function rarity(documents: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - documents) + 0.5) / (documents + 0.5));
}
