import { isSignificant } from "../search/recall/common-words.ts";
import type { EntryNotes } from "./note-record.ts";
import {
  addEntry,
  compactTable,
  countAt,
  createNoteTable,
  frequencyFactor,
  type IndexedNote,
  isInTitleAt,
  passageAt,
  type NoteTable,
  removeEntry,
  type TablePassage,
} from "./note-table.ts";

export type { IndexedNote } from "./note-table.ts";

/** What a term of a query counts, depending on where it occurs. The parts are added. */
export interface TermWeights {
  readonly anywhere: number;
  readonly title: number;
  /** In the words of the record itself. */
  readonly own: number;
}

/** A passage that shares terms with a query. Each mass is the sum of what the shared terms count. */
export interface MatchedPassage {
  /** Anywhere in the passage, and in its title. */
  readonly mass: number;
  /** The number of its different terms. */
  readonly terms: number;
  /** Its records, each with the mass of its own words. */
  readonly notes: readonly { readonly note: IndexedNote; readonly own: number }[];
}

/** Finds records by their terms. Everything is in memory. */
export interface NoteIndex {
  /** Replaces the records of an entry. */
  readonly set: (entry: string, notes: EntryNotes) => void;
  readonly remove: (entry: string) => void;
  /** Changes whenever the records do. */
  readonly version: () => number;
  /** How rare a term is: from 1 for a term of one passage to 0 for one of nearly all; more than 1 if there is none. */
  readonly rarity: (term: string) => number;
  /** The passages that match best, as many as asked for: a few if left out. */
  readonly match: (
    terms: ReadonlyMap<string, TermWeights>,
    max?: number,
  ) => readonly MatchedPassage[];
  /** The records with terms of at least this mass in their own words. */
  readonly withOwn: (terms: ReadonlyMap<string, number>, minMass: number) => readonly IndexedNote[];
  /** The records with `applies`. */
  readonly applying: () => readonly IndexedNote[];
  /** The records that name what they replace. */
  readonly superseding: () => readonly IndexedNote[];
  /** Whether the passage of a record contains a term. */
  readonly hasTerm: (note: IndexedNote, term: string) => boolean;
  /** How much the words of two passages have in common, from 0 to 1. Rare words count more. */
  readonly similarity: (one: IndexedNote, other: IndexedNote) => number;
  /** The records of the same passage, in order. */
  readonly passageOf: (note: IndexedNote) => readonly IndexedNote[];
  /** The records of an entry, in order. */
  readonly ofEntry: (entry: string) => readonly IndexedNote[];
}

/** With few passages, nothing can be said about how rare a term is. */
const ASSUMED_PASSAGES = 60;
const MIN_COMPACTED = 1_000;
/** Remembered until the records change. */
const MAX_RARITIES = 20_000;

export function createNoteIndex(): NoteIndex {
  let table = createNoteTable();
  let [version, removed] = [0, 0];
  let sums = createSums(table);
  const remove = (entry: string): void => {
    version++;
    rarities.clear();
    removed += removeEntry(table, entry);
    if (removed < MIN_COMPACTED || removed < table.passages.length / 2) return;
    table = compactTable(table);
    removed = 0;
  };
  const rarities = new Map<string, number>();
  const rarity = (term: string): number => {
    const known = rarities.get(term);
    if (known !== undefined) return known;
    const all = table.live + ASSUMED_PASSAGES;
    const live = table.postings.get(term)?.live ?? 0;
    const computed = Math.max(0, Math.log(all / (live + 0.5)) / Math.log(all / 1.5));
    if (rarities.size >= MAX_RARITIES) rarities.clear();
    rarities.set(term, computed);
    return computed;
  };
  return {
    set: (entry, notes) => {
      // Forgets what was computed, too.
      remove(entry);
      addEntry(table, entry, notes);
    },
    remove,
    version: () => version,
    rarity,
    match: (terms, max = MAX_MATCHED) => {
      if (!hasSpace(sums, table)) sums = createSums(table);
      return matchTerms(table, sums, { terms, max });
    },
    withOwn: (terms, minMass) => withOwnTerms(table, { terms, minMass, rarity }),
    applying: () => recordsWith(table, "applies"),
    superseding: () => recordsWith(table, "supersedes"),
    hasTerm: ({ passage }, term) => table.passages[passage]?.terms.has(term) === true,
    similarity: (one, other) =>
      similarityOf(table.passages[one.passage], table.passages[other.passage], rarity),
    passageOf: ({ passage }) => table.passages[passage]?.notes ?? [],
    ofEntry: (entry) =>
      (table.entries.get(entry) ?? []).flatMap((number) => table.passages[number]?.notes ?? []),
  };
}

function recordsWith(
  { notes }: NoteTable,
  field: "applies" | "supersedes",
): readonly IndexedNote[] {
  return notes.filter((note): note is IndexedNote => note?.[field] !== undefined);
}

/** Sums for every passage and record, which are zero between queries. */
interface Sums {
  readonly passages: Float64Array;
  readonly notes: Float64Array;
}

/** With space for as many again. */
function createSums({ passages, notes }: NoteTable): Sums {
  return {
    passages: new Float64Array(passages.length * 2),
    notes: new Float64Array(notes.length * 2),
  };
}

function hasSpace(sums: Sums, { passages, notes }: NoteTable): boolean {
  return sums.passages.length >= passages.length && sums.notes.length >= notes.length;
}

const MAX_MATCHED = 32;
/** A passage that shares less is far less likely than nothing, and most passages share less. */
const MIN_MASS = 1.2;

function matchTerms(
  table: NoteTable,
  sums: Sums,
  { terms, max }: { readonly terms: ReadonlyMap<string, TermWeights>; readonly max: number },
): readonly MatchedPassage[] {
  const touched = sumMasses(table, sums, terms);
  // More than the words of a record can add.
  const maxOwn = [...terms.values()].reduce((sum, { own }) => sum + own, 0);
  const best: RankedPassage[] = [];
  for (const number of touched.passages) {
    const mass = sums.passages[number] ?? 0;
    sums.passages[number] = 0;
    if (mass < MIN_MASS) continue;
    if (best.length >= max && mass + maxOwn <= (best.at(-1)?.rank ?? 0)) continue;
    const passage = table.passages[number];
    if (passage === undefined) continue;
    const own = passage.notes.reduce(
      (most, note) => Math.max(most, sums.notes[note.number] ?? 0),
      0,
    );
    insert(best, { passage, mass, rank: mass + own }, max);
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
  { postings, saturations }: NoteTable,
  sums: Sums,
  terms: ReadonlyMap<string, TermWeights>,
): { readonly passages: readonly number[]; readonly notes: readonly number[] } {
  const passages: number[] = [];
  const notes: number[] = [];
  for (const [term, { anywhere, title, own }] of terms) {
    const posting = postings.get(term);
    if (posting === undefined || posting.live === 0) continue;
    for (const occurrence of posting.passages) {
      const number = passageAt(occurrence);
      const before = sums.passages[number] ?? 0;
      if (before === 0) passages.push(number);
      const added = anywhere * frequencyFactor(countAt(occurrence), saturations[number] ?? 0);
      sums.passages[number] = before + added + (isInTitleAt(occurrence) ? title : 0);
    }
    if (own === 0) continue;
    for (const number of posting.notes) {
      sums.notes[number] = (sums.notes[number] ?? 0) + own;
      notes.push(number);
    }
  }
  return { passages, notes };
}

interface RankedPassage {
  readonly passage: TablePassage;
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
  { notes, postings }: NoteTable,
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
    for (const number of postings.get(term)?.notes ?? [])
      masses.set(number, (masses.get(number) ?? 0) + mass);
  }
  return [...masses].flatMap(([number, mass]) => (mass >= minMass ? (notes[number] ?? []) : []));
}

/** The cosine of the angle between two passages. */
function similarityOf(
  one: TablePassage | undefined,
  other: TablePassage | undefined,
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
  if (term.includes("/") || /\.\w/.test(term)) return 0;
  return rarity(term) ** 2 * (isSignificant(term) ? 1 : COMMON_FACTOR);
}
