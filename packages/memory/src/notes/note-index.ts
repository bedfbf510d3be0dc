import type { EntryNotes } from "./note-record.ts";
import { createNoteQueries } from "./note-queries.ts";
import {
  addEntry,
  compactTable,
  createNoteTable,
  type IndexedNote,
  removeEntry,
  viewTable,
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

/** Finds records by their terms. */
export interface NoteIndex {
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

/** An index whose entries can be replaced. Everything is in memory. */
export interface EditableNoteIndex extends NoteIndex {
  /** Replaces the records of an entry. */
  readonly set: (entry: string, notes: EntryNotes) => void;
  readonly remove: (entry: string) => void;
}

const MIN_COMPACTED = 1_000;

export function createNoteIndex(): EditableNoteIndex {
  let table = createNoteTable();
  let view = viewTable(table);
  let [version, removed] = [0, 0];
  const queries = createNoteQueries(() => view);
  const remove = (entry: string): void => {
    version++;
    queries.onChange();
    removed += removeEntry(table, entry);
    if (removed < MIN_COMPACTED || removed < table.passages.length / 2) return;
    table = compactTable(table);
    view = viewTable(table);
    removed = 0;
  };
  return {
    ...queries,
    set: (entry, notes) => {
      // Forgets what was computed, too.
      remove(entry);
      addEntry(table, entry, notes);
    },
    remove,
    version: () => version,
  };
}
