import type { EntryNotes, NoteRecord } from "./note-record.ts";

/** A record in the index, with the entry that it comes from. */
export interface IndexedNote extends NoteRecord {
  /** The source and key of its entry: `topics:deploy`. */
  readonly entry: string;
  /** Its place in the order in which records were added. */
  readonly number: number;
}

/** Records, and where their terms occur. Grows only, and is built again once most of it was removed. */
export interface NoteTable {
  readonly entries: (TableEntry | undefined)[];
  /** By the name of the entry. */
  readonly numbers: Map<string, number>;
  readonly notes: (IndexedNote | undefined)[];
  /** The entry of each record. */
  readonly entryOf: number[];
  readonly postings: Map<string, Posting>;
}

interface TableEntry {
  readonly name: string;
  readonly notes: IndexedNote[];
  readonly terms: Set<string>;
}

/** Where a term occurs. */
interface Posting {
  /** Twice the number of a record, and one more if the term is in its own words. */
  readonly places: number[];
  /** Entries with the term, by number, including removed ones. */
  readonly entries: number[];
  /** How many of them were not removed. */
  live: number;
}

export function createNoteTable(): NoteTable {
  return { entries: [], numbers: new Map(), notes: [], entryOf: [], postings: new Map() };
}

export function addEntry(table: NoteTable, name: string, added: EntryNotes): void {
  if (added.records.length === 0) return;
  const entry: TableEntry = { name, notes: [], terms: new Set() };
  const number = table.entries.push(entry) - 1;
  table.numbers.set(name, number);
  for (const record of added.records) addRecord(table, { record, entry, number });
  for (const term of added.vocabulary) postingIn(table, { term, entry, number });
}

function addRecord(
  table: NoteTable,
  {
    record,
    entry,
    number,
  }: { readonly record: NoteRecord; readonly entry: TableEntry; readonly number: number },
): void {
  const note: IndexedNote = { ...record, entry: entry.name, number: table.notes.length };
  table.notes.push(note);
  table.entryOf.push(number);
  entry.notes.push(note);
  const place = note.number * 2;
  for (const term of record.own) postingIn(table, { term, entry, number }).places.push(place + 1);
  for (const term of record.near) postingIn(table, { term, entry, number }).places.push(place);
}

/** The posting of a term that an entry contains. */
function postingIn(
  { postings }: NoteTable,
  {
    term,
    entry,
    number,
  }: { readonly term: string; readonly entry: TableEntry; readonly number: number },
): Posting {
  const posting = postings.get(term) ?? { places: [], entries: [], live: 0 };
  if (posting.entries.length === 0) postings.set(term, posting);
  if (!entry.terms.has(term)) {
    entry.terms.add(term);
    posting.entries.push(number);
    posting.live++;
  }
  return posting;
}

/** The records that were removed. */
export function removeEntry(table: NoteTable, name: string): readonly IndexedNote[] {
  const number = table.numbers.get(name);
  const entry = number === undefined ? undefined : table.entries[number];
  if (number === undefined || entry === undefined) return [];
  table.numbers.delete(name);
  table.entries[number] = undefined;
  for (const term of entry.terms) {
    const posting = table.postings.get(term);
    if (posting !== undefined) posting.live--;
  }
  for (const note of entry.notes) table.notes[note.number] = undefined;
  return entry.notes;
}

/** The same entries without the traces of removed ones. */
export function compactTable({ entries }: NoteTable): NoteTable {
  const table = createNoteTable();
  for (const entry of entries) {
    if (entry === undefined) continue;
    addEntry(table, entry.name, { records: entry.notes, vocabulary: [...entry.terms] });
  }
  return table;
}
