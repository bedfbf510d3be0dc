import { isAvoided } from "./avoided-terms.ts";
import { termWeight } from "./everyday-words.ts";
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
const MIN_MASS = 0.5;
const MIN_SCORE = 1;
const MIN_COVERAGE = 0.25;
const MIN_OWN = 0.3;
const MIN_STRENGTH = 0.6;
const MIN_FILE_STRENGTH = 0.8;
const MIN_FILE_RARITY = 0.55;
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
  return (own + NEAR_FACTOR * near + WHOLE_FACTOR * whole) * note.strength;
}

function acceptedOf(
  index: NoteIndex,
  query: NoteQuery,
  { match, score }: { readonly match: MatchedNote; readonly score: number },
): readonly Candidate[] {
  const { note } = match;
  if (note.strength < MIN_STRENGTH) return [];
  const own = new Set(note.own);
  const near = new Set(note.near);
  const has = (term: string): boolean => own.has(term) || near.has(term);
  const terms = [...query.all.keys()].filter(has);
  const candidate = { note, score, terms, isAboutCall: [...query.call.keys()].some(has) };
  if (terms.some((term) => own.has(term) && isAvoided(term))) return [candidate];
  const isSameFile = query.file.some((term) => has(term) && index.rarity(term) >= MIN_FILE_RARITY);
  const coverage = coverageOf(index, query.message, has);
  if (isSameFile && note.strength >= MIN_FILE_STRENGTH && coverage > 0) return [candidate];
  const significant = terms.filter((term) => termWeight(term) === 1);
  const isEnough =
    terms.length >= 2 &&
    significant.length >= 1 &&
    match.own >= MIN_OWN &&
    coverage >= MIN_COVERAGE;
  return isEnough ? [candidate] : [];
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
