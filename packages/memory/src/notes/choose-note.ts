import { isAvoided } from "./avoided-terms.ts";
import { termWeight } from "./everyday-words.ts";
import type { IndexedNote, MatchedNote, NoteIndex } from "./note-index.ts";
import { haveSameSubject } from "./same-subject.ts";
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
const OWN_NEAR_FACTOR = 0.2;
const WHOLE_FACTOR = 0.25;
/** Less than this says nothing about a record. */
export const MIN_MATCHED_MASS = 0.3;
const MIN_MASS = 0.5;
const MIN_SCORE = 0.65;
const STRONG_SCORE = 0.9;
const LEADING_MARGIN = 1.4;
const MIN_LEADING_COVERAGE = 0.15;
const MIN_MESSAGE_SCORE = 1.5;
const MIN_COMPARED_SCORE = 0.4;
const MIN_MARGIN = 1.2;
const CLEAR_MARGIN = 2;
const CLEAR_COVERAGE = 0.6;
const CLEAR_SCORE = 1.4;
const MIN_COVERAGE = 0.25;
const MIN_STRENGTH = 0.65;
const MIN_BEYOND = 0.08;
const MIN_FILE_STRENGTH = 0.7;
const MIN_FILE_RARITY = 0.55;
/** A term of less than this mass is a coincidence. */
const MIN_TERM_MASS = 0.15;
const MIN_NEAR = 1;
const STRONG_NEAR = 0.9;
const TELLING_MASS = 0.85;
const TELLING_SCORE = 1.2;
const OWN_SCORE = 1.1;
const MIN_BOTH_RARITY = 0.6;
const MIN_CLEAR_RARITY = 0.75;
/** A long message says many things, of which a memory concerns one. */
const MAX_MESSAGE_MASS = 3.5;
const MAX_CANDIDATES = 16;
const SHARE_OF_BEST = 0.75;

/** The records that certainly concern a query, best first. Missing one is better than a wrong one. */
export function findCandidates(
  index: NoteIndex,
  query: NoteQuery,
  matched: readonly MatchedNote[] = index.match(query.all, MIN_MATCHED_MASS),
): readonly Candidate[] {
  const ranked = matched
    .filter(({ own, near }) => own + near >= MIN_MASS)
    .map((match) => ({ match, score: scoreOf(match) }))
    .filter(
      ({ score, match }) => score >= MIN_COMPARED_SCORE && match.note.strength >= MIN_STRENGTH,
    )
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_CANDIDATES);
  // The first call says more, and comes soon.
  const minScore = query.call.size === 0 ? MIN_MESSAGE_SCORE : MIN_SCORE;
  const accepted = ranked.flatMap((each) =>
    each.score < minScore ? [] : acceptedOf(index, query, { ...each, ranked }),
  );
  const best = accepted[0]?.score ?? 0;
  return accepted
    .filter(({ score }) => score >= best * SHARE_OF_BEST)
    .map((candidate) => inItsOwnWords(candidate, ranked));
}

/** The statement of the same conversation that says it itself, instead of one next to it. */
function inItsOwnWords(candidate: Candidate, ranked: readonly Ranked[]): Candidate {
  const own = ranked.filter(({ match }) => match.note.entry === candidate.note.entry);
  const valueOf = ({ match: { note, own: said, near } }: Ranked): number =>
    (said + OWN_NEAR_FACTOR * near) * note.strength;
  const [best] = own.toSorted((one, other) => valueOf(other) - valueOf(one));
  return best === undefined ? candidate : { ...candidate, note: best.match.note };
}

interface Ranked {
  readonly match: MatchedNote;
  readonly score: number;
}

/** How much better a record matches than any other conversation: words that many share mean none of them. */
function marginOf(index: NoteIndex, { match, score }: Ranked, ranked: readonly Ranked[]): number {
  const { note } = match;
  const rival = ranked.find(
    (other) =>
      other.match.note.entry !== note.entry && !haveSameSubject(index, other.match.note, note),
  );
  return rival === undefined ? Infinity : score / rival.score;
}

function scoreOf({ note, own, near, whole }: MatchedNote): number {
  return (own + NEAR_FACTOR * near + WHOLE_FACTOR * whole) * note.strength;
}

function acceptedOf(
  index: NoteIndex,
  query: NoteQuery,
  { match, score, ranked }: Ranked & { readonly ranked: readonly Ranked[] },
): readonly Candidate[] {
  const { note } = match;
  const own = new Set(note.own);
  const near = new Set(note.near);
  const has = (term: string): boolean => own.has(term) || near.has(term);
  const terms = [...query.all.keys()].filter(has);
  const isAboutCall = [...query.call.keys()].some(has);
  const candidate = { note, score, terms, isAboutCall };
  if (terms.some((term) => own.has(term) && isAvoided(term))) return [candidate];
  const isSameFile = query.file.some((term) => has(term) && index.rarity(term) >= MIN_FILE_RARITY);
  const coverage = coverageOf(index, query.message, has);
  // The words of the path say nothing that the file does not say.
  const beyond = coverageOf(index, query.message, (term) => has(term) && !query.place.has(term));
  if (isSameFile && note.strength >= MIN_FILE_STRENGTH && beyond >= MIN_BEYOND) return [candidate];
  if (note.strength >= MIN_FILE_STRENGTH && isNamed(index, query, { own, has })) return [candidate];
  const counted = terms.filter((term) => massOf(index, query, term) >= MIN_TERM_MASS);
  const inOwn = counted.filter((term) => own.has(term)).length;
  const significant = counted.filter((term) => termWeight(term) === 1).length;
  const isInBoth = counted.some(
    (term) =>
      // The name of a new file repeats the message.
      query.isExistingFile &&
      own.has(term) &&
      termWeight(term) === 1 &&
      query.message.has(term) &&
      query.place.has(term) &&
      index.rarity(term) >= MIN_BOTH_RARITY,
  );
  const margin = marginOf(index, { match, score }, ranked);
  const isClear = coverage >= CLEAR_COVERAGE && score >= CLEAR_SCORE;
  if (margin < MIN_MARGIN && !isClear) return [];
  if (isInBoth || isAboutName(index, query, own)) return [candidate];
  const hasTelling = counted.some(
    (term) => own.has(term) && termWeight(term) === 1 && massOf(index, query, term) >= TELLING_MASS,
  );
  const isEnough =
    (significant >= 2 && inOwn >= 1) ||
    (query.place.size > 0 && hasTelling && margin >= CLEAR_MARGIN && score >= CLEAR_SCORE) ||
    (counted.length >= 3 && inOwn >= 2) ||
    (isAboutCall && hasTelling && counted.length >= 2 && score >= TELLING_SCORE) ||
    (isAboutCall && inOwn >= 2 && note.strength >= 1 && score >= OWN_SCORE) ||
    (significant >= 2 && note.strength >= 1 && match.near >= MIN_NEAR);
  if (isEnough && coverage >= MIN_COVERAGE && score >= STRONG_SCORE) return [candidate];
  // Two words that hardly anything else shares.
  const leads =
    margin >= LEADING_MARGIN && counted.length >= 2 && (inOwn >= 1 || match.near >= STRONG_NEAR);
  return isAboutCall && leads && coverage >= MIN_LEADING_COVERAGE ? [candidate] : [];
}

/**
 * Whether a rule names the directory in which a file is written, or comes from a conversation about
 * this very file or about what it imports.
 */
function isNamed(
  index: NoteIndex,
  { directory, dependencies, file }: NoteQuery,
  { own, has }: { readonly own: ReadonlySet<string>; readonly has: (term: string) => boolean },
): boolean {
  const isRare = (term: string): boolean => index.rarity(term) >= MIN_CLEAR_RARITY;
  return (
    directory.some((term) => own.has(term) && isRare(term)) ||
    dependencies.some((term) => has(term) && isRare(term)) ||
    file.slice(1).some((term) => has(term) && isRare(term))
  );
}

/** Whether a record speaks of all that the name of the file says, if that is not a common word. */
function isAboutName(
  index: NoteIndex,
  { name, isExistingFile }: NoteQuery,
  own: ReadonlySet<string>,
): boolean {
  const isTelling =
    isExistingFile &&
    name.some((term) => termWeight(term) === 1 && index.rarity(term) >= MIN_BOTH_RARITY);
  return isTelling && name.every((term) => own.has(term));
}

function massOf(index: NoteIndex, query: NoteQuery, term: string): number {
  return (query.all.get(term) ?? 0) * Math.min(1, index.rarity(term));
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
  return all === 0 ? 0 : covered / Math.min(all, MAX_MESSAGE_MASS);
}
