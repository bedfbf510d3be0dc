import { type FlatArray, packArrays, unpackArrays } from "../search/engine/segment/array-bundle.ts";
import {
  compareAsBytes,
  findText,
  packTexts,
  textAt,
} from "../search/engine/segment/packed-texts.ts";
import type { PackedTexts } from "../search/engine/segment/segment.ts";
import type { NoteIndex } from "./note-index.ts";
import { createNoteQueries } from "./note-queries.ts";
import { packRecord, unpackNotes, unpackRecord } from "./note-record.ts";
import {
  addEntry,
  createNoteTable,
  type IndexedNote,
  type NoteTable,
  type NoteView,
  type TablePassage,
  type ViewedPassage,
} from "./note-table.ts";

/** Changes with the layout below, with `packRecord`, and with how texts are split into terms. */
const VERSION = 0x4e_00_01;

/**
 * Serializes the notes of all entries so that they can be searched where they are: nothing is parsed but the few records
 * that a search finds.
 * @param stamp what the notes were made from, to compare it later
 */
export function packNoteIndex(
  entries: Iterable<readonly [string, string]>,
  stamp: string,
): Uint8Array {
  const table = createNoteTable();
  const inOrder = [...entries].toSorted(([one], [other]) => compareAsBytes(one, other));
  for (const [name, packed] of inOrder) addEntry(table, name, unpackNotes(packed));
  return packArrays(arraysOf(table, stamp), VERSION);
}

function arraysOf(table: NoteTable, stamp: string): readonly FlatArray[] {
  const passages = table.passages.filter((passage) => passage !== undefined);
  const notes = table.notes.filter((note) => note !== undefined);
  const terms = [...table.postings.keys()].toSorted(compareAsBytes);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const postings = terms.map((term) => table.postings.get(term) ?? NO_POSTING);
  const names = [...table.entries.keys()];
  const numbersWith = (field: "applies" | "supersedes"): Uint32Array =>
    Uint32Array.from(notes.filter((note) => note[field] !== undefined).map(({ number }) => number));
  return [
    new TextEncoder().encode(stamp),
    ...textArrays(terms),
    ...listArrays(postings.map((posting) => posting.passages)),
    ...listArrays(postings.map((posting) => posting.notes)),
    Float64Array.from(table.saturations),
    ...listArrays(passages.map((passage) => termNumbers(passage, numbers))),
    Uint32Array.from(passages, ({ endOfNotes }) => endOfNotes),
    ...textArrays(names),
    Uint32Array.from(names, (name) => (table.entries.get(name)?.at(-1) ?? -1) + 1),
    ...textArrays(notes.map(packRecord)),
    numbersWith("applies"),
    numbersWith("supersedes"),
  ];
}

const NO_POSTING = { passages: [], notes: [] };

function termNumbers(
  { terms }: TablePassage,
  numbers: ReadonlyMap<string, number>,
): readonly number[] {
  return Array.from(terms.keys(), (term) => numbers.get(term) ?? 0);
}

function textArrays(texts: readonly string[]): readonly FlatArray[] {
  const { bytes, ends } = packTexts(texts);
  return [bytes, ends];
}

/** Lists one after the other, and where each ends. */
function listArrays(lists: readonly (readonly number[])[]): readonly FlatArray[] {
  let end = 0;
  const ends = Uint32Array.from(lists, ({ length }) => (end += length));
  const all = new Uint32Array(end);
  for (const [at, list] of lists.entries()) all.set(list, (ends[at] ?? 0) - list.length);
  return [all, ends];
}

/** Notes in a file. */
export interface PackedNotes {
  readonly index: NoteIndex;
  readonly stamp: string;
}

/** `undefined` if the bytes are damaged or of another version. */
export function openPackedNotes(bytes: Uint8Array): PackedNotes | undefined {
  const arrays = unpackArrays(bytes, VERSION);
  if (typeof arrays === "string") return undefined;
  const layout = layoutOf(arrays);
  if (layout === undefined) return undefined;
  const view = viewPacked(layout);
  // There is nothing to forget, because a file never changes.
  const { onChange: _, ...queries } = createNoteQueries(() => view);
  return { index: { ...queries, version: () => 0 }, stamp: new TextDecoder().decode(layout.stamp) };
}

interface Lists {
  readonly all: Uint32Array;
  readonly ends: Uint32Array;
}

interface Layout {
  readonly stamp: Uint8Array;
  /** Sorted by their bytes. */
  readonly terms: PackedTexts;
  /** By the number of a term. */
  readonly occurrences: Lists;
  readonly own: Lists;
  /** By the number of a passage. */
  readonly saturations: Float64Array;
  readonly passageTerms: Lists;
  readonly ends: Uint32Array;
  /** The names of entries, sorted by their bytes, and where the passages of each end. */
  readonly entries: PackedTexts;
  readonly entryEnds: Uint32Array;
  readonly records: PackedTexts;
  readonly applies: Uint32Array;
  readonly supersedes: Uint32Array;
}

/** In the order of `arraysOf`. `undefined` if the arrays are of other types. */
function layoutOf(arrays: readonly FlatArray[]): Layout | undefined {
  let at = 0;
  const bytes = (): Uint8Array => expect(arrays[at++], Uint8Array);
  const words = (): Uint32Array => expect(arrays[at++], Uint32Array);
  const floats = (): Float64Array => expect(arrays[at++], Float64Array);
  const texts = (): PackedTexts => ({ bytes: bytes(), ends: words() });
  const lists = (): Lists => ({ all: words(), ends: words() });
  try {
    return {
      stamp: bytes(),
      terms: texts(),
      occurrences: lists(),
      own: lists(),
      saturations: floats(),
      passageTerms: lists(),
      ends: words(),
      entries: texts(),
      entryEnds: words(),
      records: texts(),
      applies: words(),
      supersedes: words(),
    };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function expect<Type extends FlatArray>(
  array: FlatArray | undefined,
  type: new (...args: never[]) => Type,
): Type {
  if (array instanceof type) return array;
  throw new TypeError("another type");
}

function viewPacked(layout: Layout): NoteView {
  const { terms, occurrences, own, saturations, ends, entries, entryEnds, records } = layout;
  const encoder = new TextEncoder();
  const notes = new Map<number, IndexedNote | undefined>();
  const note = (number: number): IndexedNote | undefined => {
    // The same object each time, because callers compare them.
    if (!notes.has(number)) notes.set(number, readNote(number));
    return notes.get(number);
  };
  const readNote = (number: number): IndexedNote | undefined => {
    if (number >= records.ends.length) return undefined;
    const record = unpackRecord(textAt(records, number).split("\t"));
    const passage = firstAbove(ends, number);
    const entry = textAt(entries, firstAbove(entryEnds, passage));
    return record && { ...record, entry, number, passage };
  };
  return {
    passages: ends.length,
    notes: records.ends.length,
    live: ends.length,
    posting: (term) => {
      const number = findText(terms, encoder.encode(term));
      if (number === -1) return undefined;
      const passages = listAt(occurrences, number);
      return { passages, notes: listAt(own, number), live: passages.length };
    },
    passage: (number) => (number < ends.length ? viewPassage(layout, number, note) : undefined),
    note,
    saturation: (passage) => saturations[passage] ?? 0,
    notesWith: (field) => Array.from(layout[field]).flatMap((number) => note(number) ?? []),
    passagesOf: (entry) => {
      const at = findText(entries, encoder.encode(entry));
      if (at === -1) return [];
      const from = at === 0 ? 0 : (entryEnds[at - 1] ?? 0);
      return Array.from({ length: (entryEnds[at] ?? 0) - from }, (_, offset) => from + offset);
    },
  };
}

/** Its records and terms are read when they are needed. */
function viewPassage(
  { ends, passageTerms, terms }: Layout,
  number: number,
  note: (number: number) => IndexedNote | undefined,
): ViewedPassage {
  const firstNote = number === 0 ? 0 : (ends[number - 1] ?? 0);
  const endOfNotes = ends[number] ?? 0;
  return {
    firstNote,
    endOfNotes,
    get notes() {
      const numbers = Array.from({ length: endOfNotes - firstNote }, (_, at) => firstNote + at);
      return numbers.flatMap((each) => note(each) ?? []);
    },
    get terms() {
      return new Set(Array.from(listAt(passageTerms, number), (term) => textAt(terms, term)));
    },
  };
}

function listAt({ all, ends }: Lists, number: number): Uint32Array {
  return all.subarray(number === 0 ? 0 : ends[number - 1], ends[number]);
}

/** The first place in ascending numbers whose number is higher. */
function firstAbove(ends: Uint32Array, number: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > number) high = middle;
    else low = middle + 1;
  }
  return low;
}
