import type { EntryNotes, NoteRecord, Passage } from "./note-record.ts";

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
  readonly notes: (IndexedNote | undefined)[];
  readonly postings: Map<string, Posting>;
  /** How many passages were not removed. */
  live: number;
}

export interface TablePassage {
  readonly entry: string;
  readonly notes: readonly IndexedNote[];
  readonly title: readonly string[];
  readonly terms: ReadonlySet<string>;
}

/** Where a term occurs. */
interface Posting {
  /** Twice the number of a passage, and one more if the term is in its title. */
  readonly passages: number[];
  /** The numbers of the records with the term in their own words. */
  readonly notes: number[];
  /** How many passages with the term were not removed. */
  live: number;
}

export function createNoteTable(): NoteTable {
  return { entries: new Map(), passages: [], notes: [], postings: new Map(), live: 0 };
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
  const terms = new Set([...title, ...vocabulary, ...records.flatMap(({ own }) => own)]);
  table.passages.push({ entry, notes, title, terms });
  table.live++;
  const inTitle = new Set(title);
  for (const term of terms) {
    const posting = postingOf(table, term);
    posting.passages.push(number * 2 + (inTitle.has(term) ? 1 : 0));
    posting.live++;
  }
  for (const note of notes) {
    table.notes.push(note);
    for (const term of note.own) postingOf(table, term).notes.push(note.number);
  }
  return number;
}

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
    for (const term of passage.terms) postingOf(table, term).live--;
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
      kept.map(({ title, terms, notes }) => ({ title, vocabulary: [...terms], records: notes })),
    );
  }
  return table;
}
