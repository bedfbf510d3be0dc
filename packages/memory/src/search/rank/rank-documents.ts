import type { TopList, Scored } from "./best.ts";
import type { CollectionView } from "./collection-view.ts";
import { type TermPostings, type PostingRun, rarity } from "./postings.ts";
import { DECODED_COUNTS } from "../segment/segment.ts";

export interface RankInput {
  /** Receives the matching documents. */
  readonly top: TopList;
  /** Whether a document passes the filters. */
  readonly matches: (document: number) => boolean;
}

/** Ranks documents independently of one another. */
export function rankDocuments(
  view: CollectionView,
  { postings, top, matches }: RankInput & { readonly postings: readonly TermPostings[] },
): readonly Scored[] {
  const metCount = addScores(view, postings);
  const { met, scores } = view;
  let bar = top.bar();
  for (let at = 0; at < metCount; at++) {
    const document = met[at] ?? 0;
    const score = scores[document] ?? 0;
    if (score <= bar || !matches(document)) continue;
    top.offer(document, score);
    bar = top.bar();
  }
  clearScores(view, metCount);
  return top.all();
}

/**
 * Adds the BM25F score of each term to each document that contains it, in `scores` of the view. Returns the number of
 * matching documents; their numbers are at the start of `met`.
 */
export function addScores(view: CollectionView, postings: readonly TermPostings[]): number {
  let metCount = 0;
  for (const { times, documents, runs } of postings) {
    const weight = times * rarity(documents, view.live);
    for (const run of runs) metCount = addRun(view, run, { weight, metCount });
  }
  return metCount;
}

function addRun(
  { scores, met, halfway }: CollectionView,
  { first, documents, counts }: PostingRun,
  { weight, metCount }: { readonly weight: number; readonly metCount: number },
): number {
  let count = metCount;
  for (let at = 0; at < documents.length; at++) {
    const document = first + (documents[at] ?? 0);
    const times = DECODED_COUNTS[counts[at] ?? 0] ?? 0;
    const before = scores[document] ?? 0;
    if (before === 0) met[count++] = document;
    scores[document] = before + (weight * times) / (times + (halfway[document] ?? 0));
  }
  return count;
}

/** Resets the scratch space for the next search. */
export function clearScores({ scores, met }: CollectionView, metCount: number): void {
  for (let at = 0; at < metCount; at++) scores[met[at] ?? 0] = 0;
}
