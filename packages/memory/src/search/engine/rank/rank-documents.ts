import type { TopList, Scored } from "./top-list.ts";
import type { CollectionView } from "./collection-view.ts";
import { type TermPostings, type PostingRun, rarity } from "./postings.ts";
import { DECODED_COUNTS } from "../segment/segment.ts";

export interface RankInput {
  readonly postings: readonly TermPostings[];
  /** Receives the matching documents. */
  readonly top: TopList;
  /** Whether a document passes the filters. */
  readonly matches: (document: number) => boolean;
}

/** Ranks documents independently of one another. */
export function rankDocuments(
  view: CollectionView,
  { postings, top, matches }: RankInput,
): readonly Scored[] {
  const matchCount = addScores(view, postings);
  const { matched, scores } = view;
  let bar = top.bar();
  for (let at = 0; at < matchCount; at++) {
    const document = matched[at] ?? 0;
    const score = scores[document] ?? 0;
    if (score <= bar || !matches(document)) continue;
    top.offer(document, score);
    bar = top.bar();
  }
  clearScores(view, matchCount);
  return top.all();
}

/**
 * Adds the BM25F score of each term to each document that contains it, in `scores` of the view. Returns the number of
 * matching documents; their numbers are at the start of `matched`.
 */
export function addScores(view: CollectionView, postings: readonly TermPostings[]): number {
  let matchCount = 0;
  for (const { times, documents, runs } of postings) {
    const weight = times * rarity(documents, view.live);
    for (const run of runs) matchCount = addRun(view, run, { weight, matchCount });
  }
  return matchCount;
}

function addRun(
  { scores, matched, halfway }: CollectionView,
  { first, documents, counts }: PostingRun,
  { weight, matchCount }: { readonly weight: number; readonly matchCount: number },
): number {
  let count = matchCount;
  for (let at = 0; at < documents.length; at++) {
    const document = first + (documents[at] ?? 0);
    const times = DECODED_COUNTS[counts[at] ?? 0] ?? 0;
    const before = scores[document] ?? 0;
    if (before === 0) matched[count++] = document;
    scores[document] = before + (weight * times) / (times + (halfway[document] ?? 0));
  }
  return count;
}

/** Resets the scratch space for the next search. */
export function clearScores({ scores, matched }: CollectionView, matchCount: number): void {
  for (let at = 0; at < matchCount; at++) scores[matched[at] ?? 0] = 0;
}
