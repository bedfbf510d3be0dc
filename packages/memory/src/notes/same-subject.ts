import { termWeight } from "./everyday-words.ts";
import type { IndexedNote, NoteIndex } from "./note-index.ts";

/** Found on the tuning half of `bench/applied`. */
const MIN_OVERLAP = 0.5;
const MIN_AMENDED_OVERLAP = 0.25;
const MIN_SHARED = 2;
const MIN_STRENGTH = 0.5;
const MIN_MASS = 0.6;
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
    .match(terms, MIN_MASS)
    .map(({ note: other }) => other)
    .filter((other) => isLater(other, note) && replaces(index, other, note, isRelated))
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

/** Whether a later record is about the same subject as an earlier one, so that it replaces it. */
function replaces(
  index: NoteIndex,
  later: IndexedNote,
  earlier: IndexedNote,
  isRelated: (later: IndexedNote) => boolean,
): boolean {
  if (later.kind === "statement" && later.strength < MIN_STRENGTH) return false;
  const overlap = overlapOf(index, later, earlier);
  if (overlap.shared < MIN_SHARED) return false;
  if (later.amends && overlap.share >= MIN_AMENDED_OVERLAP) return true;
  return overlap.share >= MIN_OVERLAP && isRelated(later);
}

interface Overlap {
  /** The number of shared significant terms. */
  readonly shared: number;
  /** The share of the shorter one's terms, weighted by rarity. */
  readonly share: number;
}

function overlapOf(index: NoteIndex, one: IndexedNote, other: IndexedNote): Overlap {
  const known = new Set(other.own);
  const massOf = (terms: readonly string[]): number =>
    terms.reduce((sum, term) => sum + termWeight(term) * Math.min(1, index.rarity(term)), 0);
  const shared = one.own.filter((term) => known.has(term));
  const smaller = Math.min(massOf(one.own), massOf(other.own));
  return {
    shared: shared.filter((term) => termWeight(term) === 1).length,
    share: smaller === 0 ? 0 : massOf(shared) / smaller,
  };
}
