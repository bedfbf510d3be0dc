import { type Agreement, agreementOf } from "./agreement.ts";
import type { IndexedNote, MatchedNote, NoteIndex } from "./note-index.ts";
import type { NoteQuery } from "./note-query.ts";
import { haveSameSubject } from "./same-subject.ts";

/** A record that may be shown, with the reason. */
export interface Candidate {
  readonly note: IndexedNote;
  readonly score: number;
  readonly terms: readonly string[];
}

/** A record, and how well it matches. */
interface Ranked {
  readonly match: MatchedNote;
  readonly score: number;
}

/** What counts, found on the tuning cases of `bench/applied`. */
const NEAR_FACTOR = 0.5;
const WHOLE_FACTOR = 0.25;
const OWN_NEAR_FACTOR = 0.2;
const MIN_STRENGTH = 0.65;
/** Less than this says nothing about a record. */
export const MIN_MATCHED_MASS = 0.3;
const MIN_MASS = 0.5;
const MIN_SCORE = 0.65;
const MIN_MESSAGE_SCORE = 1.5;
const MIN_COMPARED_SCORE = 0.4;
const SHARE_OF_BEST = 0.75;
const MAX_CANDIDATES = 16;

/** The records that certainly concern a query, best first. Missing one is better than a wrong one. */
export function findCandidates(
  index: NoteIndex,
  query: NoteQuery,
  matched: readonly MatchedNote[] = index.match(query.all, MIN_MATCHED_MASS),
): readonly Candidate[] {
  const ranked = rank(matched);
  // The first call says more than the message, and comes soon.
  const minScore = query.call.size === 0 ? MIN_MESSAGE_SCORE : MIN_SCORE;
  const accepted = ranked.flatMap((each): readonly Candidate[] => {
    if (each.score < minScore) return [];
    const agreement = agreementOf(index, query, each.match);
    const isAccepted = isCertain(agreement, {
      ...each,
      hasPath: query.place.size > 0,
      margin: () => marginOf(index, each, ranked),
    });
    return isAccepted ? [{ note: each.match.note, score: each.score, terms: agreement.terms }] : [];
  });
  const best = accepted[0]?.score ?? 0;
  return accepted
    .filter(({ score }) => score >= best * SHARE_OF_BEST)
    .map((candidate) => bestSaid(candidate, ranked));
}

function rank(matched: readonly MatchedNote[]): readonly Ranked[] {
  return matched
    .filter(({ note, own, near }) => own + near >= MIN_MASS && note.strength >= MIN_STRENGTH)
    .map((match) => ({ match, score: scoreOf(match) }))
    .filter(({ score }) => score >= MIN_COMPARED_SCORE)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_CANDIDATES);
}

function scoreOf({ note, own, near, whole }: MatchedNote): number {
  return (own + NEAR_FACTOR * near + WHOLE_FACTOR * whole) * note.strength;
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

/** The statement of the same conversation that says it itself, instead of one next to it. */
function bestSaid(candidate: Candidate, ranked: readonly Ranked[]): Candidate {
  const own = ranked.filter(({ match }) => match.note.entry === candidate.note.entry);
  const valueOf = ({ match: { note, own: said, near } }: Ranked): number =>
    (said + OWN_NEAR_FACTOR * near) * note.strength;
  const [best] = own.toSorted((one, other) => valueOf(other) - valueOf(one));
  return best === undefined ? candidate : { ...candidate, note: best.match.note };
}

interface Standing extends Ranked {
  readonly hasPath: boolean;
  readonly margin: () => number;
}

const MIN_FILE_STRENGTH = 0.7;
const MIN_BEYOND_PATH = 0.08;
const MIN_MARGIN = 1.2;
const LEADING_MARGIN = 1.4;
const CLEAR_MARGIN = 2;
const CLEAR_COVERAGE = 0.6;
const CLEAR_SCORE = 1.4;
const STRONG_SCORE = 0.9;
const STRONG_NEAR = 0.9;
const MIN_COVERAGE = 0.25;
const MIN_LEADING_COVERAGE = 0.15;

/** Whether a record is about what the user and the agent are doing. */
function isCertain(agreement: Agreement, standing: Standing): boolean {
  if (agreement.isForbidden || isAboutFile(agreement, standing)) return true;
  const { coverage } = agreement;
  const { score } = standing;
  const isClear = coverage >= CLEAR_COVERAGE && score >= CLEAR_SCORE;
  if (standing.margin() < MIN_MARGIN && !isClear) return false;
  if (agreement.isSubject || leads(agreement, standing)) return true;
  const isStrong = coverage >= MIN_COVERAGE && score >= STRONG_SCORE;
  return isStrong && REASONS.some((holds) => holds(agreement, standing));
}

function isAboutFile(
  { isNamed, isSameFile, beyondPath }: Agreement,
  { match: { note } }: Standing,
): boolean {
  if (note.strength < MIN_FILE_STRENGTH) return false;
  return isNamed || (isSameFile && beyondPath >= MIN_BEYOND_PATH);
}

/** Two words that hardly anything else shares. */
function leads(
  { isAboutCall, counted, inOwn, coverage }: Agreement,
  { match, margin }: Standing,
): boolean {
  const isNear = inOwn >= 1 || match.near >= STRONG_NEAR;
  const isShared = isAboutCall && counted >= 2 && isNear && coverage >= MIN_LEADING_COVERAGE;
  return isShared && margin() >= LEADING_MARGIN;
}

/** Each is enough for a record that stands out, if the message agrees with it. */
const REASONS: readonly ((agreement: Agreement, standing: Standing) => boolean)[] = [
  ({ significant, inOwn }) => significant >= 2 && inOwn >= 1,
  ({ counted, inOwn }) => counted >= 3 && inOwn >= 2,
  ({ hasTelling }, { hasPath, margin, score }) =>
    hasPath && hasTelling && margin() >= CLEAR_MARGIN && score >= CLEAR_SCORE,
  ({ isAboutCall, hasTelling, counted }, { score }) =>
    isAboutCall && hasTelling && counted >= 2 && score >= 1.2,
  ({ isAboutCall, inOwn }, { match, score }) =>
    isAboutCall && inOwn >= 2 && match.note.strength >= 1 && score >= 1.1,
  ({ significant }, { match }) => significant >= 2 && match.note.strength >= 1 && match.near >= 1,
];
