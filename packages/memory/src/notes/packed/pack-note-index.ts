import { type FlatArray, packArrays } from "../../search/engine/segment/array-bundle.ts";
import { compareAsBytes, packTexts } from "../../search/engine/segment/packed-texts.ts";
import { packRecord, unpackNotes } from "../note-record.ts";
import { addEntry, createNoteTable, type NoteTable, type TablePassage } from "../note-table.ts";
import { MAGIC, START_BYTES, VERSION } from "./format.ts";

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
