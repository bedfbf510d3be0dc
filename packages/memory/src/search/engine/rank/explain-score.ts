import type { ScorePart } from "../search-result.ts";
import type { CollectionView } from "./collection-view.ts";
import type { Lifted } from "./newer-first.ts";
import { countIn, rarity, type TermPostings } from "./postings.ts";
import { evidenceAround, type RankedTurns } from "./rank-turns.ts";
import type { Placed } from "./superseding.ts";
import type { SessionLinks } from "./session-links.ts";
import { EVIDENCE } from "./weights.ts";

const MAX_EVIDENCE = Math.max(EVIDENCE.before.length, EVIDENCE.after.length);

interface ExplainInput {
  readonly view: CollectionView;
  readonly postings: readonly TermPostings[];
}

/** The parts of the score of a document that is ranked independently. They add up to the score. */
export function explainDocument(hit: Placed, input: ExplainInput): readonly ScorePart[] {
  const { scale, vector } = vectorParts({ ...hit, score: hit.score - hit.superseding });
  const terms = termParts(hit.document, input).map((part) => scaled(part, scale));
  return withoutZeros([
    ...terms,
    vector,
    { part: "time", score: hit.lift },
    { part: "supersedes", score: hit.superseding },
  ]);
}

interface ExplainTurnInput extends ExplainInput {
  readonly links: SessionLinks;
  readonly ranked: Pick<RankedTurns, "best">;
}

/** The same for a turn, whose neighbors and session count as well. */
export function explainTurn(hit: Lifted, input: ExplainTurnInput): readonly ScorePart[] {
  const { document, lift } = hit;
  const { scale, words, vector } = vectorParts(hit);
  const share = input.ranked.best === 0 ? 0 : scale / input.ranked.best;
  const terms = termParts(document, input).map((part) => scaled(part, share));
  const neighbors = share * evidenceAround(document, input.links, scoresAround(document, input));
  return withoutZeros([
    ...terms,
    { part: "neighbors", score: neighbors },
    { part: "session", score: words - sumOf(terms) - neighbors },
    vector,
    { part: "time", score: lift },
  ]);
}

/** The scores of the turns around a turn. */
function scoresAround(document: number, input: ExplainTurnInput): Readonly<Record<number, number>> {
  const { previous, next } = input.links;
  const scores: Record<number, number> = {};
  for (const towards of [previous, next]) {
    let turn = towards[document] ?? -1;
    for (let step = 0; step < MAX_EVIDENCE && turn !== -1; step++) {
      scores[turn] = sumOf(termParts(turn, input));
      turn = towards[turn] ?? -1;
    }
  }
  return scores;
}

/** How much of the score comes from words and how much from a vector. */
function vectorParts({ score, lift, words }: Lifted): {
  readonly scale: number;
  readonly words: number;
  readonly vector: ScorePart;
} {
  const own = score - lift;
  const byWords = words?.score ?? own;
  return {
    // A turn that only its vector found gets nothing for the words around it.
    scale: byWords === 0 ? 0 : (words?.scale ?? 1),
    words: byWords,
    vector: { part: "vector", score: own - byWords },
  };
}

/** What each term adds to the BM25F score of a document. */
function termParts(
  document: number,
  { view, postings }: ExplainInput,
): readonly (ScorePart & { readonly part: "term" })[] {
  return postings.flatMap((term) => {
    const count = countIn(term, document);
    if (count === 0) return [];
    const weight = term.times * rarity(term.documents, view.live);
    const score = (weight * count) / (count + (view.halfway[document] ?? 0));
    return [{ part: "term" as const, term: term.term, score }];
  });
}

function scaled<T extends ScorePart>(part: T, scale: number): T {
  return { ...part, score: part.score * scale };
}

function sumOf(parts: readonly ScorePart[]): number {
  return parts.reduce((sum, { score }) => sum + score, 0);
}

/** Less than this is a rounding error. */
const MIN_PART = 1e-12;

function withoutZeros(parts: readonly ScorePart[]): readonly ScorePart[] {
  return parts.filter(({ score }) => Math.abs(score) > MIN_PART);
}
