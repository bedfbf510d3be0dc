import { addScores, clearScores } from "./add-scores.ts";
import type { BestOf, Scored } from "./best.ts";
import type { CollectionView } from "./collection-view.ts";
import type { TermPostings } from "./postings.ts";

export interface RankInput {
  /** Takes what was met. */
  readonly best: BestOf;
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
