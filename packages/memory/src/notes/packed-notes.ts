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
const VERSION = 0x4e_00_02;
/** A machine with another byte order reads another number. */
const MAGIC = 0x43_41_4c_4e;
/** The magic number, and the length of the head. */
const START_BYTES = 8;

/**
 * Serializes the notes of all entries so that they can be searched where they are. The head tells where everything is.
 * A search reads the head, and of the rest, the few lists and records that it needs.
 * @param stamp what the notes were made from, to compare it later
 */
export function packNoteIndex(
  entries: Iterable<readonly [string, string]>,
  stamp: string,
): Uint8Array {
  const table = createNoteTable();
  const inOrder = [...entries].toSorted(([one], [other]) => compareAsBytes(one, other));
  for (const [name, packed] of inOrder) addEntry(table, name, unpackNotes(packed));
  const { head, rest } = arraysOf(table, stamp);
  const packed = packArrays(head, VERSION);
  const bytes = new Uint8Array(
    rest.reduce((size, { byteLength }) => size + byteLength, START_BYTES + packed.length),
  );
  new Uint32Array(bytes.buffer, 0, 2).set([MAGIC, packed.length]);
  bytes.set(packed, START_BYTES);
  let end = START_BYTES + packed.length;
  for (const { buffer, byteOffset, byteLength } of rest) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), end);
    end += byteLength;
  }
  return bytes;
}

/** In the order of `layoutOf`. What is large is not part of the head. */
function arraysOf(
  table: NoteTable,
  stamp: string,
): { readonly head: readonly FlatArray[]; readonly rest: readonly FlatArray[] } {
  const passages = table.passages.filter((passage) => passage !== undefined);
  const notes = table.notes.filter((note) => note !== undefined);
  const terms = [...table.postings.keys()].toSorted(compareAsBytes);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const postings = terms.map((term) => table.postings.get(term) ?? NO_POSTING);
  const names = [...table.entries.keys()];
  const numbersWith = (field: "applies" | "supersedes"): Uint32Array =>
    Uint32Array.from(notes.filter((note) => note[field] !== undefined).map(({ number }) => number));
  const occurrences = packLists(postings.map((posting) => posting.passages));
  const own = packLists(postings.map((posting) => posting.notes));
  const passageTerms = packLists(passages.map((passage) => termNumbers(passage, numbers)));
  const records = packTexts(notes.map(packRecord));
  return {
    head: [
      new TextEncoder().encode(stamp),
      ...textArrays(terms),
      occurrences.ends,
      own.ends,
      Float64Array.from(table.saturations),
      passageTerms.ends,
      Uint32Array.from(passages, ({ endOfNotes }) => endOfNotes),
      ...textArrays(names),
      Uint32Array.from(names, (name) => (table.entries.get(name)?.at(-1) ?? -1) + 1),
      records.ends,
      numbersWith("applies"),
      numbersWith("supersedes"),
    ],
    rest: [occurrences.all, own.all, passageTerms.all, records.bytes],
  };
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

interface Lists {
  readonly all: Uint32Array;
  /** Where each ends. */
  readonly ends: Uint32Array;
}

/** Lists one after the other. */
function packLists(lists: readonly (readonly number[])[]): Lists {
  let end = 0;
  const ends = Uint32Array.from(lists, ({ length }) => (end += length));
  const all = new Uint32Array(end);
  for (const [at, list] of lists.entries()) all.set(list, (ends[at] ?? 0) - list.length);
  return { all, ends };
}

/** Notes in a file. */
export interface PackedNotes {
  readonly index: NoteIndex;
  /** How many records there are. */
  readonly size: number;
  readonly stamp: string;
}

/** Reads some bytes, or fewer where the file ends. They start at a multiple of eight in their buffer. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/**
 * `undefined` if the file is truncated or of another version. Other damage only finds less, or something else: every text
 * is read from its source. So no checksum is computed, which would take longer than a search.
 */
export function openPackedNotes(read: ReadBytes): PackedNotes | undefined {
  const start = read(0, START_BYTES);
  if (start.length < START_BYTES) return undefined;
  const [magic, length = 0] = new Uint32Array(start.buffer, start.byteOffset, 2);
  if (magic !== MAGIC || length > MAX_HEAD_BYTES) return undefined;
  const arrays = unpackArrays(read(START_BYTES, length), VERSION, "unchecked");
  if (typeof arrays === "string") return undefined;
  const layout = layoutOf(arrays, { read, at: START_BYTES + length });
  if (layout === undefined) return undefined;
  const view = viewPacked(layout);
  // There is nothing to forget, because a file never changes.
  const { onChange: _, ...queries } = createNoteQueries(() => view);
  return {
    index: { ...queries, version: () => 0 },
    size: layout.records,
    stamp: new TextDecoder().decode(layout.stamp),
  };
}

/** More than the head of several hundred thousand topics. */
const MAX_HEAD_BYTES = 128 * 1024 ** 2;

interface PackedLists {
  readonly size: (number: number) => number;
  readonly read: (number: number) => Uint32Array;
}

interface Layout {
  readonly stamp: Uint8Array;
  /** Sorted by their bytes. */
  readonly terms: PackedTexts;
  /** By the number of a term. */
  readonly occurrences: PackedLists;
  readonly own: PackedLists;
  /** By the number of a passage. */
  readonly saturations: Float64Array;
  readonly passageTerms: PackedLists;
  readonly ends: Uint32Array;
  /** The names of entries, sorted by their bytes, and where the passages of each end. */
  readonly entries: PackedTexts;
  readonly entryEnds: Uint32Array;
  /** By the number of a record. */
  readonly records: number;
  readonly record: (number: number) => string;
  readonly applies: Uint32Array;
  readonly supersedes: Uint32Array;
}

/** In the order of `arraysOf`. `undefined` if the arrays are of other types. */
function layoutOf(
  arrays: readonly FlatArray[],
  { read, at }: { readonly read: ReadBytes; readonly at: number },
): Layout | undefined {
  const [bytes, words, floats] = [
    arrays.filter((array) => array instanceof Uint8Array),
    arrays.filter((array) => array instanceof Uint32Array),
    arrays.filter((array) => array instanceof Float64Array),
  ];
  const [stamp, terms, entries] = bytes;
  const [termEnds, occurrences, own, passageTerms, ends, nameEnds, entryEnds, records] = words;
  const [applies, supersedes] = words.slice(8);
  const [saturations] = floats;
  if (stamp === undefined || terms === undefined || entries === undefined) return undefined;
  if (termEnds === undefined || occurrences === undefined || own === undefined) return undefined;
  if (passageTerms === undefined || ends === undefined || nameEnds === undefined) return undefined;
  if (entryEnds === undefined || records === undefined || saturations === undefined)
    return undefined;
  if (applies === undefined || supersedes === undefined) return undefined;
  const occurrencesAt = at;
  const ownAt = occurrencesAt + 4 * (occurrences.at(-1) ?? 0);
  const termsAt = ownAt + 4 * (own.at(-1) ?? 0);
  const recordsAt = termsAt + 4 * (passageTerms.at(-1) ?? 0);
  const decoder = new TextDecoder();
  return {
    stamp,
    terms: { bytes: terms, ends: termEnds },
    occurrences: listReader(read, occurrencesAt, occurrences),
    own: listReader(read, ownAt, own),
    saturations,
    passageTerms: listReader(read, termsAt, passageTerms),
    ends,
    entries: { bytes: entries, ends: nameEnds },
    entryEnds,
    records: records.length,
    record: (number) => {
      const { from, length } = rangeAt(records, number);
      return decoder.decode(read(recordsAt + from, length));
    },
    applies,
    supersedes,
  };
}

function listReader(read: ReadBytes, at: number, ends: Uint32Array): PackedLists {
  return {
    size: (number) => rangeAt(ends, number).length,
    read: (number) => {
      const { from, length } = rangeAt(ends, number);
      const bytes = read(at + 4 * from, 4 * length);
      return new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
    },
  };
}

/** None for a number that is too high, as in a damaged file. */
function rangeAt(
  ends: Uint32Array,
  number: number,
): { readonly from: number; readonly length: number } {
  const from = number === 0 ? 0 : (ends[number - 1] ?? 0);
  return { from, length: Math.max(0, (ends[number] ?? from) - from) };
}

function viewPacked(layout: Layout): NoteView {
  const { terms, occurrences, own, saturations, ends, entries, entryEnds, records } = layout;
  const encoder = new TextEncoder();
  const notes = new Map<number, IndexedNote | undefined>();
  const passages = new Map<number, ViewedPassage>();
  const note = (number: number): IndexedNote | undefined => {
    // The same object each time, because callers compare them.
    if (!notes.has(number)) notes.set(number, readNote(number));
    return notes.get(number);
  };
  const readNote = (number: number): IndexedNote | undefined => {
    if (number >= records) return undefined;
    const record = unpackRecord(layout.record(number).split("\t"));
    const passage = firstAbove(ends, number);
    const entry = textAt(entries, firstAbove(entryEnds, passage));
    return record && { ...record, entry, number, passage };
  };
  return {
    passages: ends.length,
    notes: records,
    live: ends.length,
    posting: (term) => {
      const number = findText(terms, encoder.encode(term));
      if (number === -1) return undefined;
      // Most postings are only counted.
      return {
        get passages() {
          return occurrences.read(number);
        },
        get notes() {
          return own.read(number);
        },
        live: occurrences.size(number),
      };
    },
    passage: (number) => {
      if (number >= ends.length) return undefined;
      const known = passages.get(number) ?? viewPassage(layout, number, note);
      passages.set(number, known);
      return known;
    },
    note,
    saturations,
    notesWith: (field) => Array.from(layout[field]).flatMap((number) => note(number) ?? []),
    passagesOf: (entry) => {
      const at = findText(entries, encoder.encode(entry));
      if (at === -1) return [];
      const from = at === 0 ? 0 : (entryEnds[at - 1] ?? 0);
      return numbersBetween(from, Math.min(entryEnds[at] ?? 0, ends.length));
    },
  };
}

/** Its records and terms are read when they are needed. */
function viewPassage(
  { ends, passageTerms, terms, records }: Layout,
  number: number,
  note: (number: number) => IndexedNote | undefined,
): ViewedPassage {
  const firstNote = number === 0 ? 0 : (ends[number - 1] ?? 0);
  // Whatever a damaged file says.
  const endOfNotes = Math.min(ends[number] ?? 0, records);
  let known: ReadonlySet<string> | undefined;
  const read = (): ReadonlySet<string> =>
    (known ??= new Set(Array.from(passageTerms.read(number), (term) => textAt(terms, term))));
  return {
    firstNote,
    endOfNotes,
    get notes() {
      return numbersBetween(firstNote, endOfNotes).flatMap((each) => note(each) ?? []);
    },
    terms: {
      size: passageTerms.size(number),
      has: (term) => read().has(term),
      keys: () => read().keys(),
    },
  };
}

function numbersBetween(from: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
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
