import { isPath } from "./path-terms.ts";
import { isSignificant } from "../search/recall/common-words.ts";
import type { MatchedPassage, NoteIndex, TermWeights } from "./note-index.ts";
import {
  COUNT_MASK,
  FREQUENCY_SCALE,
  type IndexedNote,
  PASSAGE_SHIFT,
  type NoteView,
  type ViewedPassage,
} from "./note-table.ts";

/** What is computed from a table of passages, wherever that is. */
export interface NoteQueries extends Omit<NoteIndex, "version"> {
  /** Forgets what was computed, before the table changes. */
  readonly onChange: () => void;
}

/** With few passages, nothing can be said about how rare a term is. */
const ASSUMED_PASSAGES = 60;
/** Remembered until the records change. */
const MAX_RARITIES = 20_000;

export function createNoteQueries(view: () => NoteView): NoteQueries {
  let sums = createSums(view());
  const rarities = new Map<string, number>();
  const rarity = (term: string): number => {
    const known = rarities.get(term);
    if (known !== undefined) return known;
    const table = view();
    const all = table.live + ASSUMED_PASSAGES;
    const live = table.posting(term)?.live ?? 0;
    const computed = Math.max(0, Math.log(all / (live + 0.5)) / Math.log(all / 1.5));
    if (rarities.size >= MAX_RARITIES) rarities.clear();
    rarities.set(term, computed);
    return computed;
  };
  return {
    onChange: () => rarities.clear(),
    rarity,
    match: (terms, max = MAX_MATCHED) => {
      const table = view();
      if (!hasSpace(sums, table)) sums = createSums(table);
      return matchTerms(table, sums, { terms, max });
    },
    withOwn: (terms, minMass) => withOwnTerms(view(), { terms, minMass, rarity }),
    applying: () => view().notesWith("applies"),
    superseding: () => view().notesWith("supersedes"),
    hasTerm: ({ passage }, term) => view().passage(passage)?.terms.has(term) === true,
    similarity: (one, other) =>
      similarityOf(view().passage(one.passage), view().passage(other.passage), rarity),
    passageOf: ({ passage }) => view().passage(passage)?.notes ?? [],
    ofEntry: (entry) =>
      view()
        .passagesOf(entry)
        .flatMap((number) => view().passage(number)?.notes ?? []),
  };
}

/** Sums for every passage and record, which are zero between queries. */
interface Sums {
  readonly passages: Float64Array;
  readonly notes: Float64Array;
}

/** With space for as many again. */
function createSums({ passages, notes }: NoteView): Sums {
  return {
    passages: new Float64Array(passages * 2),
    notes: new Float64Array(notes * 2),
  };
}

function hasSpace(sums: Sums, { passages, notes }: NoteView): boolean {
  return sums.passages.length >= passages && sums.notes.length >= notes;
}

const MAX_MATCHED = 32;
/** A passage that shares less is far less likely than nothing, and most passages share less. */
const MIN_MASS = 1.2;

function matchTerms(
  table: NoteView,
  sums: Sums,
  { terms, max }: { readonly terms: ReadonlyMap<string, TermWeights>; readonly max: number },
): readonly MatchedPassage[] {
  const touched = sumMasses(table, sums, terms);
  // More than the words of a record can add.
  const maxOwn = [...terms.values()].reduce((sum, { own }) => sum + own, 0);
  const best: RankedPassage[] = [];
  // All of them are asked for when weights are fitted.
  const least = Number.isFinite(max) ? MIN_MASS : 0;
  let minMass = least;
  for (const number of touched.passages) {
    const mass = sums.passages[number] ?? 0;
    sums.passages[number] = 0;
    if (mass < minMass) continue;
    const passage = table.passage(number);
    if (passage === undefined) continue;
    let own = 0;
    for (let note = passage.firstNote; note < passage.endOfNotes; note++)
      own = Math.max(own, sums.notes[note] ?? 0);
    insert(best, { passage, mass, rank: mass + own }, max);
    if (best.length >= max) minMass = Math.max(least, (best.at(-1)?.rank ?? 0) - maxOwn);
  }
  const matched = best.map(({ passage, mass }) => ({
    mass,
    terms: passage.terms.size,
    notes: passage.notes.map((note) => ({ note, own: sums.notes[note.number] ?? 0 })),
  }));
  for (const number of touched.notes) sums.notes[number] = 0;
  return matched;
}

/** Adds what each term counts. Returns the numbers of the passages and records whose sums are not zero. */
function sumMasses(
  table: NoteView,
  sums: Sums,
  terms: ReadonlyMap<string, TermWeights>,
): { readonly passages: readonly number[]; readonly notes: readonly number[] } {
  const passages: number[] = [];
  const notes: number[] = [];
  for (const [term, weights] of terms) {
    const posting = table.posting(term);
    if (posting === undefined || posting.live === 0) continue;
    addOccurrences(sums.passages, passages, {
      weights,
      occurrences: posting.passages,
      saturations: table.saturations,
    });
    if (weights.own === 0) continue;
    for (const number of Array.from(posting.notes)) {
      sums.notes[number] = (sums.notes[number] ?? 0) + weights.own;
      notes.push(number);
    }
  }
  return { passages, notes };
}

interface AddedOccurrences {
  readonly weights: TermWeights;
  readonly occurrences: ArrayLike<number>;
  readonly saturations: ArrayLike<number>;
}

/** Without calls in the loop: a short process is over before any of this is compiled. */
function addOccurrences(
  sums: Float64Array,
  touched: number[],
  { weights: { anywhere, title }, occurrences, saturations }: AddedOccurrences,
): void {
  const { length } = occurrences;
  for (let at = 0; at < length; at++) {
    const occurrence = occurrences[at] ?? 0;
    const number = occurrence >>> PASSAGE_SHIFT;
    const before = sums[number] ?? 0;
    if (before === 0) touched.push(number);
    const count = ((occurrence >>> 1) & COUNT_MASK) + 1;
    const factor = (count * FREQUENCY_SCALE) / (count + (saturations[number] ?? 0));
    sums[number] = before + anywhere * factor + ((occurrence & 1) === 1 ? title : 0);
  }
}

interface RankedPassage {
  readonly passage: ViewedPassage;
  readonly mass: number;
  readonly rank: number;
}

/** Keeps the few best ones in order. Inserting each is faster than sorting thousands. */
function insert(best: RankedPassage[], added: RankedPassage, max: number): void {
  const isFull = best.length >= max;
  if (isFull && added.rank <= (best.at(-1)?.rank ?? 0)) return;
  const at = best.findIndex(({ rank }) => rank < added.rank);
  best.splice(at === -1 ? best.length : at, 0, added);
  if (isFull) best.pop();
}

function withOwnTerms(
  table: NoteView,
  {
    terms,
    minMass,
    rarity,
  }: {
    readonly terms: ReadonlyMap<string, number>;
    readonly minMass: number;
    readonly rarity: (term: string) => number;
  },
): readonly IndexedNote[] {
  const masses = new Map<number, number>();
  for (const [term, weight] of terms) {
    const mass = weight * Math.min(1, rarity(term));
    for (const number of Array.from(table.posting(term)?.notes ?? []))
      masses.set(number, (masses.get(number) ?? 0) + mass);
  }
  return [...masses].flatMap(([number, mass]) =>
    mass >= minMass ? (table.note(number) ?? []) : [],
  );
}

/** The cosine of the angle between two passages. */
function similarityOf(
  one: ViewedPassage | undefined,
  other: ViewedPassage | undefined,
  rarity: (term: string) => number,
): number {
  if (one === undefined || other === undefined) return 0;
  const [few, many] = one.terms.size < other.terms.size ? [one, other] : [other, one];
  let [shared, fewMass, manyMass] = [0, 0, 0];
  for (const term of few.terms.keys()) {
    const mass = massOf(term, rarity);
    fewMass += mass;
    if (many.terms.has(term)) shared += mass;
  }
  for (const term of many.terms.keys()) manyMass += massOf(term, rarity);
  return shared === 0 ? 0 : shared / Math.sqrt(fewMass * manyMass);
}

const COMMON_FACTOR = 0.3;

/** Files do not count: many subjects concern the same file. */
function massOf(term: string, rarity: (term: string) => number): number {
  if (isPath(term)) return 0;
  return rarity(term) ** 2 * (isSignificant(term) ? 1 : COMMON_FACTOR);
}
