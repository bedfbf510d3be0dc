import { COUNT_SCALE } from "../segment/segment.ts";
import type { CollectionView } from "./collection-view.ts";
import { rarity, type TermPostings } from "./find-postings.ts";

/**
 * Adds up what each term says for each document that holds it (BM25F) in `scores` of the view, and gives how many documents
 * were met; their numbers are at the beginning of `met`.
 */
export function addScores(view: CollectionView, postings: readonly TermPostings[]): number {
  const { scores, met, halfway, size } = view;
  let metCount = 0;
  for (const { times, documents, runs } of postings) {
    const worth = times * rarity(documents, size);
    for (const { first, documents: holders, counts } of runs) {
      for (let at = 0; at < holders.length; at++) {
        const document = first + (holders[at] ?? 0);
        const count = (counts[at] ?? 0) / COUNT_SCALE;
        const before = scores[document] ?? 0;
        if (before === 0) met[metCount++] = document;
        scores[document] = before + (worth * count) / (count + (halfway[document] ?? 0));
      }
    }
  }
  return metCount;
}

/** Leaves the room as the next search wants to find it. */
export function clearScores({ scores, met }: CollectionView, metCount: number): void {
  for (let at = 0; at < metCount; at++) scores[met[at] ?? 0] = 0;
}
