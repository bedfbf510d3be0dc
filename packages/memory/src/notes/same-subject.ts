import { isAvoided } from "./avoided-terms.ts";
import { termWeight } from "./everyday-words.ts";
import type { IndexedNote, NoteIndex } from "./note-index.ts";
import { isPath } from "./path-terms.ts";

/** Found on the tuning half of `bench/applied`. */
const MIN_OVERLAP = 0.4;
const MIN_AMENDED_SHARE = 0.3;
/** Of the shorter of the two. */
const MIN_REPLACED_SHARE = 0.5;
const MIN_CLEAR_SHARE = 0.2;
const MIN_SHARED = 2;
const MIN_WORDS = 1.5;
const MIN_STRENGTH = 0.7;
const MIN_REPEATED_SHARE = 0.6;
const MIN_MASS = 0.3;
const MAX_STEPS = 8;

/** The newest record about the subject of another one; the record itself if there is none. */
export function currentOf(
  index: NoteIndex,
  note: IndexedNote,
  isRelated: (later: IndexedNote) => boolean,
): IndexedNote {
  let current = note;
  const seen = new Set<number>([note.number]);
  for (let step = 0; step < MAX_STEPS; step++) {
    const later = laterOf(index, current, isRelated).find(({ number }) => !seen.has(number));
    if (later === undefined) return current;
    seen.add(later.number);
    current = later;
  }
  return current;
}

/** Records that replace another one, the newest first. */
function laterOf(
  index: NoteIndex,
  note: IndexedNote,
  isRelated: (later: IndexedNote) => boolean,
): readonly IndexedNote[] {
  const terms = new Map(note.own.map((term) => [term, termWeight(term)]));
  return index
    .withOwn(terms, MIN_MASS)
    .filter(
      (other) =>
        isLater(other, note) && replaces(index, { later: other, earlier: note, isRelated }),
    )
    .toSorted((one, other) => compareTimes(other, one));
}

/** Whether a record is later than another: by its time, then by its place in the conversation. */
export function isLater(one: IndexedNote, other: IndexedNote): boolean {
  return one.number !== other.number && compareTimes(one, other) > 0;
}

function compareTimes(one: IndexedNote, other: IndexedNote): number {
  const [time, otherTime] = [one.atMs ?? 0, other.atMs ?? 0];
  if (time !== otherTime) return time - otherTime;
  return one.entry === other.entry ? one.number - other.number : 0;
}

/** Passages of different conversations that have this much in common are about the same subject. Fitted on the tuning cases. */
const MIN_LIKENESS = 0.33;
/** With less similar words, nothing else makes them alike. */
const MIN_SIMILARITY = 0.1;
/** What counts besides: the words of what was settled that occur in the other one, and whether the later one says that something changes. */
const SETTLED_EARLIER = 0.21;
const SETTLED_LATER = 0.16;
const AMENDS = 0.08;
/** Below this, a statement settles nothing. */
const MIN_SETTLED = 0.6;

/** Whether one of two records replaces the other. */
export function haveSameSubject(index: NoteIndex, one: IndexedNote, other: IndexedNote): boolean {
  const [later, earlier] = isLater(one, other) ? [one, other] : [other, one];
  if (areStatements(one, other)) return likenessOf(index, later, earlier) >= MIN_LIKENESS;
  return replaces(index, { later, earlier, isRelated: () => true });
}

function likenessOf(index: NoteIndex, later: IndexedNote, earlier: IndexedNote): number {
  const similarity = index.similarity(later, earlier);
  if (similarity < MIN_SIMILARITY) return similarity;
  return (
    similarity +
    SETTLED_EARLIER * settledShare(index, earlier, later) +
    SETTLED_LATER * settledShare(index, later, earlier) +
    (index.passageOf(later).some(({ amends }) => amends) ? AMENDS : 0)
  );
}

/** How much of what one passage settles occurs in another one, from 0 to 1. */
function settledShare(index: NoteIndex, one: IndexedNote, other: IndexedNote): number {
  const settled = index.passageOf(one).filter(({ strength }) => strength >= MIN_SETTLED);
  const terms = [...new Set(settled.flatMap(({ own }) => own))];
  const mass = subjectMass(index, terms);
  const shared = terms.filter((term) => index.hasTerm(other, term));
  return mass === 0 ? 0 : subjectMass(index, shared) / mass;
}

/** Files do not count: many subjects concern the same file. */
function subjectMass(index: NoteIndex, terms: readonly string[]): number {
  return terms
    .filter((term) => !isAvoided(term) && !isPath(term))
    .reduce((sum, term) => sum + termWeight(term) * Math.min(1, index.rarity(term)) ** 2, 0);
}

/**
 * The best record of the newest conversation about the subject of a statement, of those that concern a query; `undefined`
 * if there is no later one.
 */
export function amendedIn(
  index: NoteIndex,
  note: IndexedNote,
  ranked: readonly IndexedNote[],
): IndexedNote | undefined {
  const later = ranked.filter(
    (other) =>
      areStatements(note, other) &&
      other.strength >= MIN_STRENGTH &&
      compareTimes(other, note) > 0 &&
      haveSameSubject(index, note, other),
  );
  const newest = later.toSorted((one, other) => compareTimes(other, one))[0];
  return later.find(({ passage }) => passage === newest?.passage);
}

/** Whether two records come from different conversations. */
function areStatements(one: IndexedNote, other: IndexedNote): boolean {
  const isStatement = one.kind === "statement" && other.kind === "statement";
  return isStatement && one.entry !== other.entry;
}

interface ReplacesInput {
  readonly later: IndexedNote;
  readonly earlier: IndexedNote;
  readonly isRelated: (later: IndexedNote) => boolean;
}

/** Whether a later record is about the same subject as an earlier one, so that it replaces it. */
function replaces(index: NoteIndex, { later, earlier, isRelated }: ReplacesInput): boolean {
  if (later.kind === "statement" && later.strength < MIN_STRENGTH) return false;
  // What another conversation settled is found by `amendedIn`.
  if (areStatements(later, earlier)) return false;
  const overlap = overlapOf(index, later, earlier);
  const minShare = overlap.shared >= MIN_SHARED ? MIN_CLEAR_SHARE : MIN_AMENDED_SHARE;
  const isClose = overlap.aroundShare >= minShare || overlap.share >= MIN_REPLACED_SHARE;
  if (later.amends && overlap.shared >= 1 && isClose) return true;
  if (!isRelated(later)) return false;
  const isSame = overlap.words >= MIN_WORDS && overlap.share >= MIN_OVERLAP;
  if (isSame) return true;
  return isRepeated(index, earlier, later);
}

/**
 * Whether the conversation around a later record repeats an earlier one before it settles the matter again: "it is at 5 MB
 * now", "make it 12".
 */
function isRepeated(index: NoteIndex, earlier: IndexedNote, later: IndexedNote): boolean {
  if (earlier.entry === later.entry) return false;
  const around = new Set([...later.own, ...later.near]);
  const repeated = earlier.own.filter((term) => around.has(term));
  const significant = repeated.filter((term) => termWeight(term) === 1).length;
  const mass = massOf(index, earlier.own);
  const share = mass === 0 ? 0 : massOf(index, repeated) / mass;
  const sharesWords = later.own.some(
    (term) => earlier.own.includes(term) && termWeight(term) === 1,
  );
  return share >= MIN_REPEATED_SHARE && significant >= MIN_SHARED && sharesWords;
}

function massOf(index: NoteIndex, terms: readonly string[]): number {
  return terms
    .filter((term) => !isAvoided(term))
    .reduce((sum, term) => sum + termWeight(term) * Math.min(1, index.rarity(term)), 0);
}

interface Overlap {
  /** The number of shared significant terms. */
  readonly shared: number;
  /** The weight of all shared terms. */
  readonly words: number;
  /** The share of the shorter one's terms, weighted by rarity. */
  readonly share: number;
  /** The share of the later one's terms that are in or around the earlier one. */
  readonly aroundShare: number;
}

function overlapOf(index: NoteIndex, one: IndexedNote, other: IndexedNote): Overlap {
  const known = new Set(other.own);
  const shared = one.own.filter((term) => known.has(term));
  const around = new Set([...other.own, ...other.near]);
  const [mass, otherMass] = [massOf(index, one.own), massOf(index, other.own)];
  const smaller = Math.min(mass, otherMass);
  return {
    aroundShare:
      mass === 0
        ? 0
        : massOf(
            index,
            one.own.filter((term) => around.has(term)),
          ) / mass,
    words: shared.reduce((sum, term) => sum + termWeight(term), 0),
    shared: shared.filter((term) => termWeight(term) === 1).length,
    share: smaller === 0 ? 0 : massOf(index, shared) / smaller,
  };
}
