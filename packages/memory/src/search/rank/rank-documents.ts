import type { TopList, Scored } from "./best.ts";
import type { CollectionView } from "./collection-view.ts";
import { type TermPostings, type PostingRun, rarity } from "./postings.ts";
import { DECODED_COUNTS } from "../segment/segment.ts";

export interface RankInput {
  /** Takes what was met. */
  readonly best: TopList;
  /** Whether a document is wanted at all. */
  readonly isWanted: (document: number) => boolean;
}

/** The best documents, each for itself. */
export function rankDocuments(
  view: CollectionView,
  { postings, best, isWanted }: RankInput & { readonly postings: readonly TermPostings[] },
): readonly Scored[] {
  const metCount = addScores(view, postings);
  const { met, scores } = view;
  let bar = best.bar();
  for (let at = 0; at < metCount; at++) {
    const document = met[at] ?? 0;
    const score = scores[document] ?? 0;
    if (score <= bar || !isWanted(document)) continue;
    best.offer(document, score);
    bar = best.bar();
  }
  clearScores(view, metCount);
  return best.all();
}

/**
 * Adds up what each term says for each document that holds it (BM25F) in `scores` of the view, and gives how many documents
 * were met; their numbers are at the beginning of `met`.
 */
export function addScores(view: CollectionView, postings: readonly TermPostings[]): number {
  let metCount = 0;
  for (const { times, documents, runs } of postings) {
    const worth = times * rarity(documents, view.live);
    for (const run of runs) metCount = addRun(view, run, { worth, metCount });
  }
  return metCount;
}

function addRun(
  { scores, met, halfway }: CollectionView,
  { first, documents, counts }: PostingRun,
  { worth, metCount }: { readonly worth: number; readonly metCount: number },
): number {
  let count = metCount;
  for (let at = 0; at < documents.length; at++) {
    const document = first + (documents[at] ?? 0);
    const times = DECODED_COUNTS[counts[at] ?? 0] ?? 0;
    const before = scores[document] ?? 0;
    if (before === 0) met[count++] = document;
    scores[document] = before + (worth * times) / (times + (halfway[document] ?? 0));
  }
  return count;
}

/** Leaves the room as the next search wants to find it. */
export function clearScores({ scores, met }: CollectionView, metCount: number): void {
  for (let at = 0; at < metCount; at++) scores[met[at] ?? 0] = 0;
}
