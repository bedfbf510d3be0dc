import { isSignificant } from "../search/recall/common-words.ts";
import type { IndexedNote, MatchedNote, NoteIndex } from "./note-index.ts";
import type { NoteQuery } from "./note-query.ts";

/** A record that may be shown, with the reason. */
export interface Candidate {
  readonly note: IndexedNote;
  readonly score: number;
  readonly terms: readonly string[];
  /** Whether something of the call itself matches, and not only the message. */
  readonly isAboutCall: boolean;
}

/** What counts, found on the tuning half of `bench/applied`. */
const NEAR_FACTOR = 0.5;
const WHOLE_FACTOR = 0.25;
const MIN_MASS = 0.8;
const MIN_SCORE = 1.5;
const MIN_COVERAGE = 0.4;
const MIN_OWN = 0.4;
const MAX_CANDIDATES = 16;
const SHARE_OF_BEST = 0.75;

/** The records that certainly concern a query, best first. Missing one is better than a wrong one. */
export function findCandidates(index: NoteIndex, query: NoteQuery): readonly Candidate[] {
  const matched = index.match(query.all, MIN_MASS);
  const ranked = matched
    .map((match) => ({ match, score: scoreOf(match) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_CANDIDATES);
  const accepted = ranked.flatMap(({ match, score }) => acceptedOf(index, query, { match, score }));
  const best = accepted[0]?.score ?? 0;
  return accepted.filter(({ score }) => score >= best * SHARE_OF_BEST);
}

function scoreOf({ note, own, near, whole }: MatchedNote): number {
  const factor = note.kind === "statement" ? note.strength : 1;
  return (own + NEAR_FACTOR * near + WHOLE_FACTOR * whole) * factor;
}

function acceptedOf(
  index: NoteIndex,
  query: NoteQuery,
  { match, score }: { readonly match: MatchedNote; readonly score: number },
): readonly Candidate[] {
  const { note } = match;
  const own = new Set(note.own);
  const near = new Set(note.near);
  const shared = [...query.all.keys()].filter((term) => own.has(term) || near.has(term));
  const significant = shared.filter(isSignificant);
  const hasFile = query.file.some(
    (term) => (own.has(term) || near.has(term)) && index.rarity(term) > 0.4,
  );
  const coverage = coverageOf(index, query.message, (term) => own.has(term) || near.has(term));
  const isEnough =
    significant.length >= 2 && match.own >= MIN_OWN && (coverage >= MIN_COVERAGE || hasFile);
  if (!isEnough) return [];
  const isAboutCall = [...query.call.keys()].some((term) => own.has(term) || near.has(term));
  return [{ note, score, terms: significant, isAboutCall }];
}

/** The share of the message's words that a record contains, weighted by rarity. */
function coverageOf(
  index: NoteIndex,
  message: ReadonlyMap<string, number>,
  has: (term: string) => boolean,
): number {
  let [all, covered] = [0, 0];
  for (const [term, weight] of message) {
    const mass = weight * Math.min(1, index.rarity(term));
    all += mass;
    if (has(term)) covered += mass;
  }
  return all === 0 ? 0 : covered / all;
}
