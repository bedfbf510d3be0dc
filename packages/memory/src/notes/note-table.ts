import { type EntryNotes, MAX_COUNT, type NoteRecord, type Passage } from "./note-record.ts";

/** A record in the index, with the entry that it comes from. */
export interface IndexedNote extends NoteRecord {
  /** The source and key of its entry: `topics:deploy`. */
  readonly entry: string;
  /** Its place in the order in which records were added. */
  readonly number: number;
  /** The number of its passage. */
  readonly passage: number;
}

/** Passages with their records, and where their terms occur. Grows only, and is built again once most of it was removed. */
export interface NoteTable {
  /** The numbers of an entry's passages, by the name of the entry. */
  readonly entries: Map<string, readonly number[]>;
  readonly passages: (TablePassage | undefined)[];
  /** How slowly further occurrences of a term stop to count in each passage. */
  readonly saturations: number[];
  readonly notes: (IndexedNote | undefined)[];
  readonly postings: Map<string, Posting>;
  /** How many passages were not removed. */
  live: number;
}

export interface TablePassage extends ViewedPassage {
  readonly entry: string;
  readonly title: readonly string[];
  /** How often each term occurs. */
  readonly terms: ReadonlyMap<string, number>;
}

/** A table to compute from, in memory or in a file. Numbers of removed passages and records have none. */
export interface NoteView {
  /** One more than the highest number of a passage, and of a record. */
  readonly passages: number;
  readonly notes: number;
  /** How many passages there are. */
  readonly live: number;
  readonly posting: (term: string) => ViewedPosting | undefined;
  readonly passage: (number: number) => ViewedPassage | undefined;
  readonly note: (number: number) => IndexedNote | undefined;
  readonly saturations: ArrayLike<number>;
  readonly notesWith: (field: "applies" | "supersedes") => readonly IndexedNote[];
  /** The numbers of an entry's passages. */
  readonly passagesOf: (entry: string) => readonly number[];
}

interface ViewedPosting {
  /** Packed by `packOccurrence`. */
  readonly passages: ArrayLike<number>;
  readonly notes: ArrayLike<number>;
  readonly live: number;
}

export interface ViewedPassage {
  /** The numbers of its records are consecutive. */
  readonly firstNote: number;
  readonly endOfNotes: number;
  readonly notes: readonly IndexedNote[];
  readonly terms: Pick<ReadonlySet<string>, "size" | "has" | "keys">;
}

/** Follows the changes of the table. */
export function viewTable(table: NoteTable): NoteView {
  const { passages, notes, postings, saturations, entries } = table;
  return {
    get passages() {
      return passages.length;
    },
    get notes() {
      return notes.length;
    },
    get live() {
      return table.live;
    },
    posting: (term) => postings.get(term),
    passage: (number) => passages[number],
    note: (number) => notes[number],
    saturations,
    notesWith: (field) => notes.filter((note): note is IndexedNote => note?.[field] !== undefined),
    passagesOf: (entry) => entries.get(entry) ?? [],
  };
}

/** Where a term occurs. */
interface Posting {
  /** The passages with the term, packed by `packOccurrence`. */
  readonly passages: number[];
  /** The numbers of the records with the term in their own words. */
  readonly notes: number[];
  /** How many passages with the term were not removed. */
  live: number;
}

export function createNoteTable(): NoteTable {
  return {
    entries: new Map(),
    passages: [],
    saturations: [],
    notes: [],
    postings: new Map(),
    live: 0,
  };
}

export function addEntry(table: NoteTable, name: string, added: EntryNotes): void {
  const numbers = added.map((passage) => addPassage(table, name, passage));
  if (numbers.length > 0) table.entries.set(name, numbers);
}

function addPassage(
  table: NoteTable,
  entry: string,
  { title, vocabulary, records }: Passage,
): number {
  const number = table.passages.length;
  const notes = records.map((record, at) => ({
    ...record,
    entry,
    number: table.notes.length + at,
    passage: number,
  }));
  const terms = new Map<string, number>();
  for (const term of vocabulary) terms.set(term, Math.min(MAX_COUNT, (terms.get(term) ?? 0) + 1));
  for (const term of [...title, ...records.flatMap(({ own }) => own)])
    if (!terms.has(term)) terms.set(term, 1);
  const firstNote = table.notes.length;
  const endOfNotes = firstNote + notes.length;
  table.passages.push({ entry, firstNote, endOfNotes, notes, title, terms });
  table.saturations.push(saturationOf([...terms.values()].reduce((sum, count) => sum + count, 0)));
  table.live++;
  const inTitle = new Set(title);
  for (const [term, count] of terms) {
    const posting = postingOf(table, term);
    posting.passages.push(packOccurrence({ number, count, isInTitle: inTitle.has(term) }));
    posting.live++;
  }
  for (const note of notes) {
    table.notes.push(note);
    for (const term of note.own) postingOf(table, term).notes.push(note.number);
  }
  return number;
}

/** As in BM25: further occurrences of a term count less and less, and later so in a long passage. */
const SATURATION = 4;
const LENGTH_SHARE = 0.4;
/** How many words a passage usually has. */
const USUAL_LENGTH = 60;

function saturationOf(length: number): number {
  return SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / USUAL_LENGTH);
}

/** `count * FREQUENCY_SCALE / (count + saturation)` is 1 for a term that occurs once in a passage of the usual length. */
export const FREQUENCY_SCALE: number = SATURATION + 1;

/** Where and how often a term occurs. */
interface Occurrence {
  readonly number: number;
  readonly count: number;
  readonly isInTitle: boolean;
}

// An occurrence is one number, because there are many: a bit for the title, three for the count, then the passage.
const COUNT_BITS = Math.log2(MAX_COUNT);

function packOccurrence({ number, count, isInTitle }: Occurrence): number {
  return (((number << COUNT_BITS) | (count - 1)) << 1) | (isInTitle ? 1 : 0);
}

/** How an occurrence is unpacked. */
export const PASSAGE_SHIFT: number = COUNT_BITS + 1;
export const COUNT_MASK: number = MAX_COUNT - 1;

function postingOf({ postings }: NoteTable, term: string): Posting {
  const known = postings.get(term);
  if (known !== undefined) return known;
  const posting: Posting = { passages: [], notes: [], live: 0 };
  postings.set(term, posting);
  return posting;
}

/** Returns how many passages were removed. */
export function removeEntry(table: NoteTable, name: string): number {
  const numbers = table.entries.get(name) ?? [];
  table.entries.delete(name);
  for (const number of numbers) {
    const passage = table.passages[number];
    if (passage === undefined) continue;
    table.passages[number] = undefined;
    table.live--;
    for (const term of passage.terms.keys()) postingOf(table, term).live--;
    for (const note of passage.notes) table.notes[note.number] = undefined;
  }
  return numbers.length;
}

/** The same entries without the traces of removed ones. */
export function compactTable({ entries, passages }: NoteTable): NoteTable {
  const table = createNoteTable();
  for (const [name, numbers] of entries) {
    const kept = numbers.flatMap((number) => passages[number] ?? []);
    addEntry(
      table,
      name,
      kept.map(({ title, terms, notes }) => ({
        title,
        vocabulary: [...terms].flatMap(([term, count]) =>
          Array.from({ length: count }, () => term),
        ),
        records: notes,
      })),
    );
  }
  return table;
}
