import { unpackArrays } from "../../search/engine/segment/array-bundle.ts";
import { findText, textAt } from "../../search/engine/segment/packed-texts.ts";
import type { NoteIndex } from "../note-index.ts";
import { createNoteQueries } from "../note-queries.ts";
import { unpackRecord } from "../note-record.ts";
import type { IndexedNote, NoteView, ViewedPassage } from "../note-table.ts";
import { MAGIC, START_BYTES, VERSION } from "./format.ts";
import { type Layout, layoutOf, type ReadBytes } from "./layout.ts";

/** Notes in a file. */
export interface PackedNotes {
  readonly index: NoteIndex;
  /** How many records there are. */
  readonly size: number;
  readonly stamp: string;
}

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
