import type { EntryNotes } from "./note-record.ts";
import {
  addEntry,
  compactTable,
  createNoteTable,
  type IndexedNote,
  type NoteTable,
  removeEntry,
} from "./note-table.ts";

export type { IndexedNote } from "./note-table.ts";

/** A record that shares terms with a query. Each mass is the sum of the weights of the shared terms. */
export interface MatchedNote {
  readonly note: IndexedNote;
  readonly own: number;
  readonly near: number;
  /** Of its whole conversation, including its own. */
  readonly whole: number;
}

/** A term of a query with its weight, before rarity. */
type QueryTerms = ReadonlyMap<string, number>;

/** Finds records by their terms. Everything is in memory. */
export interface NoteIndex {
  /** Replaces the records of an entry. */
  readonly set: (entry: string, notes: EntryNotes) => void;
  readonly remove: (entry: string) => void;
  /** Changes whenever the records do. */
  readonly version: () => number;
  /** How rare a term is: from 1 for a term of one entry to 0 for one of nearly all; more than 1 if there is none. */
  readonly rarity: (term: string) => number;
  /** The records that contain terms of at least this mass in their own words and next to them. */
  readonly match: (terms: QueryTerms, minMass: number) => readonly MatchedNote[];
  /** The records with `applies`. */
  readonly applying: () => readonly IndexedNote[];
  /** The records that name what they replace. */
  readonly superseding: () => readonly IndexedNote[];
  /** The records of an entry, in order. */
  readonly ofEntry: (entry: string) => readonly IndexedNote[];
}

/** With few entries, nothing can be said about how rare a term is. */
const ASSUMED_ENTRIES = 60;
const MIN_COMPACTED = 1_000;

export function createNoteIndex(): NoteIndex {
  let table = createNoteTable();
  let [version, removed] = [0, 0];
  let masses = createMasses(table);
  const remove = (entry: string): void => {
    version++;
    removed += removeEntry(table, entry).length;
    if (removed < MIN_COMPACTED || removed < table.notes.length / 2) return;
    table = compactTable(table);
    removed = 0;
  };
  const rarity = (term: string): number => {
    const all = table.numbers.size + ASSUMED_ENTRIES;
    const live = table.postings.get(term)?.live ?? 0;
    return Math.max(0, Math.log(all / (live + 0.5)) / Math.log(all / 1.5));
  };
  return {
    set: (entry, notes) => {
      remove(entry);
      addEntry(table, entry, notes);
    },
    remove,
    version: () => version,
    rarity,
    match: (terms, minMass) => {
      if (!hasSpace(masses, table)) masses = createMasses(table);
      return matchTerms(table, { masses, terms, minMass, rarity });
    },
    applying: () => recordsWith(table, "applies"),
    superseding: () => recordsWith(table, "supersedes"),
    ofEntry: (entry) => table.entries[table.numbers.get(entry) ?? -1]?.notes ?? [],
  };
}

function recordsWith(
  { notes }: NoteTable,
  field: "applies" | "supersedes",
): readonly IndexedNote[] {
  return notes.filter((note): note is IndexedNote => note?.[field] !== undefined);
}

/** Sums for every record and entry, which are zero between queries. */
interface Masses {
  readonly own: Float64Array;
  readonly near: Float64Array;
  readonly whole: Float64Array;
}

/** With space for as many again. */
function createMasses({ notes, entries }: NoteTable): Masses {
  return {
    own: new Float64Array(notes.length * 2),
    near: new Float64Array(notes.length * 2),
    whole: new Float64Array(entries.length * 2),
  };
}

function hasSpace({ own, whole }: Masses, { notes, entries }: NoteTable): boolean {
  return own.length >= notes.length && whole.length >= entries.length;
}

interface MatchInput {
  readonly masses: Masses;
  readonly terms: QueryTerms;
  readonly minMass: number;
  readonly rarity: (term: string) => number;
}

function matchTerms(
  table: NoteTable,
  { masses, terms, minMass, rarity }: MatchInput,
): readonly MatchedNote[] {
  const touched = sumMasses(table, { masses, terms, rarity });
  const { own, near, whole } = masses;
  const matched: MatchedNote[] = [];
  for (const number of touched.notes) {
    const note = table.notes[number];
    const [said, around] = [own[number] ?? 0, near[number] ?? 0];
    if (note !== undefined && said + around >= minMass)
      matched.push({
        note,
        own: said,
        near: around,
        whole: whole[table.entryOf[number] ?? 0] ?? 0,
      });
    own[number] = 0;
    near[number] = 0;
  }
  for (const entry of touched.entries) whole[entry] = 0;
  return matched;
}

/** Adds to sums, and notes which of them were zero before. */
function addMass(
  sums: Float64Array,
  {
    numbers,
    mass,
    touched,
  }: { readonly numbers: readonly number[]; readonly mass: number; readonly touched: number[] },
): void {
  for (const number of numbers) {
    if (sums[number] === 0) touched.push(number);
    sums[number] = (sums[number] ?? 0) + mass;
  }
}

/** The numbers of the records and entries whose sums are not zero. */
function sumMasses(
  { postings }: NoteTable,
  { masses: { own, near, whole }, terms, rarity }: Omit<MatchInput, "minMass">,
): { readonly notes: readonly number[]; readonly entries: readonly number[] } {
  const notes: number[] = [];
  const entries: number[] = [];
  for (const [term, weight] of terms) {
    const posting = postings.get(term);
    const mass = posting === undefined ? 0 : weight * Math.min(1, rarity(term));
    if (posting === undefined || posting.live === 0 || mass <= 0) continue;
    addMass(whole, { numbers: posting.entries, mass, touched: entries });
    for (const place of posting.places) {
      const number = place >> 1;
      if (own[number] === 0 && near[number] === 0) notes.push(number);
      const field = place % 2 === 1 ? own : near;
      field[number] = (field[number] ?? 0) + mass;
    }
  }
  return { notes, entries };
}
