import { createSearchIndex } from "../search-index.ts";
import {
  countsOf,
  createEntryTable,
  type EntryTable,
  type EntryTables,
  isConsistent,
} from "./entry-table.ts";
import type { IndexedEntries } from "./live-index.ts";
import { packArrays, unpackArrays } from "../segment/array-bundle.ts";

/** Goes up with every change of the tables, or of what sources say of their files. The index has a version of its own. */
const VERSION = 0x53_00_02;
/** Reads as another number where bytes stand in another order. */
const MAGIC = 0x43_41_4c_53;
/** Magic, and how many bytes the tables are. */
const HEAD_BYTES = 8;
/** So many bytes tell whether something may be a snapshot. */
export const SNAPSHOT_HEAD_BYTES: number = HEAD_BYTES;
/** The beginning of an index, in which its checksum stands. */
const BEGINNING_BYTES = 16;

/**
 * An index and the files that are in it, as bytes: the tables, and the index behind them. Each has a checksum, and the
 * tables know the one of the index, so that parts of two snapshots never pass for one.
 */
export function packSnapshot({ index, tables }: IndexedEntries): Uint8Array {
  const saved = index.save();
  const packed = packTables(tables, saved.subarray(0, BEGINNING_BYTES));
  const bytes = new Uint8Array(HEAD_BYTES + packed.length + saved.length);
  new Uint32Array(bytes.buffer, 0, 2).set([MAGIC, packed.length]);
  bytes.set(packed, HEAD_BYTES);
  bytes.set(saved, HEAD_BYTES + packed.length);
  return bytes;
}

/** Whether something that begins with these bytes may be a snapshot. */
export function isSnapshotHead(bytes: Uint8Array): boolean {
  if (bytes.length < HEAD_BYTES || bytes.byteOffset % HEAD_BYTES !== 0) return false;
  const [magic, length = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  return magic === MAGIC && length % HEAD_BYTES === 0;
}

/** `undefined` where the bytes are damaged, of another version or of other sources: then everything is read anew. */
export function openSnapshot(
  bytes: Uint8Array,
  sources: readonly { readonly name: string }[],
): IndexedEntries | undefined {
  if (!isSnapshotHead(bytes)) return undefined;
  const [, length = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  const saved = bytes.subarray(HEAD_BYTES + length);
  const tables = openTables(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length), { saved, sources });
  if (tables === undefined) return undefined;
  const index = createSearchIndex();
  return index.load(saved).kind === "loaded" ? { index, tables } : undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function packTables(tables: EntryTables, beginning: Uint8Array): Uint8Array {
  const all = Array.from(tables.values(), (table) => table.packed());
  // Flat lists of texts are parsed faster than anything that could be taken apart by hand.
  const texts = JSON.stringify([[...tables.keys()], ...all.map((packed) => packed.texts)]);
  const counts = Uint32Array.from(all.flatMap((packed) => Array.from(packed.counts)));
  return packArrays([beginning, encoder.encode(texts), counts], VERSION);
}

function openTables(
  bytes: Uint8Array,
  {
    saved,
    sources,
  }: { readonly saved: Uint8Array; readonly sources: readonly { readonly name: string }[] },
): EntryTables | undefined {
  const arrays = unpackArrays(bytes, VERSION);
  if (typeof arrays === "string") return undefined;
  const [beginning, packed, counts] = arrays;
  const isOfIndex =
    beginning?.length === BEGINNING_BYTES && beginning.every((byte, at) => byte === saved[at]);
  const isTyped = packed instanceof Uint8Array && counts instanceof Uint32Array;
  if (!isOfIndex || !isTyped) return undefined;
  const [names, ...texts] = parseTexts(decoder.decode(packed));
  const isOfSources =
    names?.length === sources.length && sources.every(({ name }, at) => names[at] === name);
  if (!isOfSources || texts.length !== sources.length) return undefined;
  return tablesOf(names, texts, counts);
}

function tablesOf(
  names: readonly string[],
  texts: readonly (readonly string[])[],
  counts: Uint32Array,
): EntryTables | undefined {
  const tables = new Map<string, EntryTable>();
  let place = 0;
  for (const [at, own] of texts.entries()) {
    const packed = { texts: own, counts: counts.subarray(place, (place += countsOf(own))) };
    if (!isConsistent(packed)) return undefined;
    tables.set(names[at] ?? "", createEntryTable(packed));
  }
  return place === counts.length ? tables : undefined;
}

/** Nothing where it is no list of lists of texts. */
function parseTexts(json: string): readonly (readonly string[])[] {
  const lists = parseList(json);
  return lists?.every(isTexts) === true ? lists : [];
}

function parseList(json: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((text) => typeof text === "string");
}
