import { isAvoided } from "./avoided-terms.ts";
import { searchTerms } from "../search/analyzer/query-terms.ts";
import type { IndexedNote, MatchedNote, NoteIndex } from "./note-index.ts";
import { haveSameSubject } from "./same-subject.ts";
import type { NoteQuery } from "./note-query.ts";

/** A record that may be shown, with the reason. */
export interface Candidate {
  readonly note: IndexedNote;
  readonly score: number;
  readonly terms: readonly string[];
}

/** A task shares words with the whole conversation, and a decision often has other words. */
const OWN_FACTOR = 0.6;
const NEAR_FACTOR = 0.4;
const MIN_STRENGTH = 0.6;
/** In the record itself and next to it. */
export const MIN_MATCHED_MASS = 0.2;
const CALL = { minScore: 1.6, clearScore: 1.8 };
/** The first call says more, and comes soon. */
const MESSAGE = { minScore: 2, clearScore: 2.4 };
/** Words of the message alone must be many. */
const UNCALLED_SCORE = 2.2;
const MIN_MARGIN = 1.1;
const CLEAR_MARGIN = 1.5;
/** A term of less than this mass is a coincidence. */
const MIN_TERM_MASS = 0.15;
const MIN_WORDS = 2;
/** A single word that is this telling is enough. */
const MIN_SUBJECT_MASS = 0.9;
const MAX_CANDIDATES = 16;
const SHARE_OF_BEST = 0.75;

/** The records that certainly concern a query, best first. Missing one is better than a wrong one. */
export function findCandidates(
  index: NoteIndex,
  query: NoteQuery,
  matched: readonly MatchedNote[] = index.match(query.all, MIN_MATCHED_MASS),
): readonly Candidate[] {
  const ranked = bestOf(matched);
  const accepted = ranked.flatMap((each) => acceptedOf(index, query, { ...each, ranked }));
  const best = accepted[0]?.score ?? 0;
  return accepted.filter(({ score }) => score >= best * SHARE_OF_BEST);
}

interface Ranked {
  readonly match: MatchedNote;
  readonly score: number;
}

/** The few best ones. Inserting each is faster than sorting thousands. */
function bestOf(matched: readonly MatchedNote[]): readonly Ranked[] {
  const best: Ranked[] = [];
  for (const match of matched) {
    const score = scoreOf(match);
    const bar = best.length < MAX_CANDIDATES ? 0 : (best.at(-1)?.score ?? 0);
    if (score <= bar) continue;
    const at = best.findIndex((other) => other.score < score);
    best.splice(at === -1 ? best.length : at, 0, { match, score });
    if (best.length > MAX_CANDIDATES) best.pop();
  }
  return best;
}

function scoreOf({ note, own, near, whole }: MatchedNote): number {
  if (note.strength < MIN_STRENGTH) return 0;
  return (whole + OWN_FACTOR * own + NEAR_FACTOR * near) * (0.5 + 0.5 * note.strength);
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

function acceptedOf(
  index: NoteIndex,
  query: NoteQuery,
  { match, score, ranked }: Ranked & { readonly ranked: readonly Ranked[] },
): readonly Candidate[] {
  const { note } = match;
  const terms = [...query.all.keys()].filter((term) => index.hasTerm(note.entry, term));
  const own = new Set(note.own);
  const isAboutCall = terms.some(
    (term) =>
      query.call.has(term) && !isCommonPath(term) && massOf(index, query, term) >= MIN_TERM_MASS,
  );
  const candidate = { note, score, terms };
  if (terms.some((term) => own.has(term) && isAvoided(term))) return [candidate];
  const { minScore, clearScore } = query.call.size === 0 ? MESSAGE : CALL;
  const isTelling = countShared(index, query, terms) >= MIN_WORDS || isSubject(index, query, terms);
  if (score < minScore || !isTelling) return [];
  if (query.call.size > 0 && score < UNCALLED_SCORE && !isAboutCall) return [];
  const margin = marginOf(index, { match, score }, ranked);
  return margin >= (score >= clearScore ? MIN_MARGIN : CLEAR_MARGIN) ? [candidate] : [];
}

/** Directories that many repositories have, and the directory of the file as a whole. */
function isCommonPath(term: string): boolean {
  return term.endsWith("/") || USUAL_DIRECTORIES.has(term);
}

const USUAL_DIRECTORIES: ReadonlySet<string> = new Set(
  searchTerms(
    "src lib app apps web frontend backend common shared server client packages test tests util utils components pages core internal cmd pkg main index",
  ),
);

/** Whether the message and the call name the same thing, which is rare in other conversations. */
function isSubject(index: NoteIndex, query: NoteQuery, terms: readonly string[]): boolean {
  return terms.some(
    (term) =>
      query.message.has(term) &&
      query.call.has(term) &&
      !isCommonPath(term) &&
      massOf(index, query, term) >= MIN_SUBJECT_MASS,
  );
}

/** How many different words two texts share. The file of a call is one of them, however often its path is repeated. */
function countShared(index: NoteIndex, query: NoteQuery, terms: readonly string[]): number {
  const telling = terms.filter((term) => massOf(index, query, term) >= MIN_TERM_MASS);
  const words = telling.filter(
    (term) => !query.file.includes(term) && (query.message.has(term) || !isCommonPath(term)),
  );
  return words.length + (telling.some((term) => query.file.includes(term)) ? 1 : 0);
}

function massOf(index: NoteIndex, query: NoteQuery, term: string): number {
  return (query.all.get(term) ?? 0) * Math.min(1, index.rarity(term));
}
