import type { IndexedNote, MatchedPassage, NoteIndex } from "./note-index.ts";
import type { NoteQuery } from "./note-query.ts";
import { NOTE_WEIGHTS, type NoteWeights } from "./note-weights.ts";
import { haveSameSubject } from "./same-subject.ts";

/** A record that may be shown, with the reason. */
export interface Candidate {
  readonly note: IndexedNote;
  readonly score: number;
  readonly terms: readonly string[];
  /** Whether it forbids what the call does. */
  readonly isForbidding?: boolean;
}

/** A passage with the logarithm of how likely it is needed, compared with others. */
export interface ScoredPassage {
  readonly score: number;
  /** Its records, the one to show first. */
  readonly notes: readonly [IndexedNote, ...IndexedNote[]];
}

/** From 0 to 1. Below this, showing nothing is better. */
const MIN_CERTAINTY = 0.45;
/** The first call says more than the message, and comes soon. */
const MIN_MESSAGE_CERTAINTY = 0.88;
/** How many different terms a passage usually has, and the least that is worth telling apart. */
const USUAL_TERMS = 40;
const MIN_TERMS = 20;
/** Below this, a statement settles nothing. */
const MIN_STRENGTH = 0.6;
const MIN_FORBIDDEN_MASS = 0.5;
/** A text contains many words, so a record that forbids one of them must have something else in common with it. */
const MIN_FORBIDDEN_SCORE = 5;

/** The passages that concern a query, best first. */
export function scorePassages(index: NoteIndex, query: NoteQuery): readonly ScoredPassage[] {
  return index
    .match(query.terms)
    .flatMap((passage) => scoredPassage(passage, NOTE_WEIGHTS))
    .toSorted((one, other) => other.score - one.score);
}

/** Nothing if the passage settles nothing. */
export function scoredPassage(
  { mass, notes, terms }: MatchedPassage,
  weights: NoteWeights,
): readonly ScoredPassage[] {
  const settling = notes.filter(({ note }) => note.strength >= MIN_STRENGTH);
  const ranked = settling
    .map(({ note, own }) => ({ note, score: own + weights.strength * note.strength }))
    .toSorted((one, other) => other.score - one.score)
    .map(({ note }) => note);
  const [first, ...rest] = ranked;
  if (first === undefined) return [];
  const own = Math.max(...settling.map((each) => each.own));
  const strength = Math.max(...settling.map(({ note }) => note.strength));
  const score =
    mass +
    own +
    weights.strength * strength +
    (settling.some(({ note }) => note.isGeneral) ? weights.general : 0) +
    weights.length * Math.log(Math.max(terms, MIN_TERMS) / USUAL_TERMS);
  return [{ score, notes: [first, ...rest] }];
}

/** The records that concern a query, best first: what it does against a rule, then those of the most likely passage. */
export function findCandidates(
  index: NoteIndex,
  query: NoteQuery,
  scored: readonly ScoredPassage[] = scorePassages(index, query),
): readonly Candidate[] {
  const [best] = scored;
  const passage = best !== undefined && isCertain(index, { best, scored, query }) ? [best] : [];
  const candidatesOf = ({ notes, score }: ScoredPassage, isForbidding: boolean): Candidate[] =>
    notes.map((note) => ({
      note,
      score,
      terms: [...query.terms.keys()].filter((term) => index.hasTerm(note, term)),
      isForbidding,
    }));
  return [
    ...forbidding(index, query, scored).flatMap((each) => candidatesOf(each, true)),
    ...passage.flatMap((each) => candidatesOf(each, false)),
  ];
}

interface CertaintyInput {
  readonly best: ScoredPassage;
  readonly scored: readonly ScoredPassage[];
  readonly query: NoteQuery;
}

/** Whether a passage, together with those about the same subject, is likely the one that is needed. */
function isCertain(index: NoteIndex, { best, scored, query }: CertaintyInput): boolean {
  const min = query.isMessage ? MIN_MESSAGE_CERTAINTY : MIN_CERTAINTY;
  const likelihoods = scored.map(({ score }) => Math.exp(score - best.score));
  const all = likelihoods.reduce((sum, each) => sum + each, 0);
  const needed = min * (all + Math.exp(query.nothing - best.score));
  if (needed <= 1) return true;
  if (needed > all) return false;
  let [sameSubject, rest] = [0, all];
  for (const [at, { notes }] of scored.entries()) {
    const likelihood = likelihoods[at] ?? 0;
    const isSame = notes[0] === best.notes[0] || haveSameSubject(index, notes[0], best.notes[0]);
    if (isSame) sameSubject += likelihood;
    rest -= likelihood;
    // Comparing subjects takes longest, and the rest seldom decides.
    if (sameSubject >= needed) return true;
    if (sameSubject + rest < needed) return false;
  }
  return false;
}

/** The records that forbid what a call does. The action of a command needs nothing else in common with them. */
function forbidding(
  index: NoteIndex,
  { avoided, actions }: NoteQuery,
  scored: readonly ScoredPassage[],
): readonly ScoredPassage[] {
  if (avoided.length === 0) return [];
  const scores = new Map(scored.map(({ notes, score }) => [notes[0].passage, score]));
  return index
    .withOwn(new Map(avoided.map((term) => [term, 1])), MIN_FORBIDDEN_MASS)
    .map((note): ScoredPassage => ({ notes: [note], score: scores.get(note.passage) ?? 0 }))
    .filter(
      ({ notes, score }) =>
        score >= MIN_FORBIDDEN_SCORE || notes[0].own.some((term) => actions.has(term)),
    )
    .toSorted((one, other) => other.score - one.score);
}
