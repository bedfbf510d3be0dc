import { createSearchIndex } from "../engine/search-index.ts";
import {
  countsOf,
  createEntryTable,
  type EntryTable,
  type EntryTables,
  isConsistent,
} from "./entry-table.ts";
import type { LiveIndex } from "./live-index.ts";
import { packArrays, unpackArrays } from "../engine/segment/array-bundle.ts";

/** Changes with the tables, and with the fingerprints and cursors of sources. The index has its own version. */
const VERSION = 0x53_00_09;
/** A machine with another byte order reads another number. */
const MAGIC = 0x43_41_4c_53;
/** The magic number, and the length of the tables. */
const HEAD_BYTES = 8;
/** How many bytes `isSnapshotHead` needs. */
export const SNAPSHOT_HEAD_BYTES: number = HEAD_BYTES;
/** The start of an index, which contains its checksum. */
const INDEX_START_BYTES = 16;

/**
 * Serializes an index and its entries: the tables, then the index. Each has a checksum, and the tables contain that of
 * the index, so that parts of two snapshots are never mixed. Returns the parts of the file, in their order.
 */
export function packSnapshot({
  index,
  tables,
}: Pick<LiveIndex, "index" | "tables">): readonly Uint8Array[] {
  const saved = index.save();
  const packed = packTables(tables, saved.subarray(0, INDEX_START_BYTES));
  const head = new Uint8Array(HEAD_BYTES);
  new Uint32Array(head.buffer).set([MAGIC, packed.length]);
  // Not joined, because a large index would then be in memory once more.
  return [head, packed, saved];
}

/** Whether a file that starts with these bytes may be a snapshot. */
export function isSnapshotHead(bytes: Uint8Array): boolean {
  if (bytes.length < HEAD_BYTES || bytes.byteOffset % HEAD_BYTES !== 0) return false;
  const [magic, length = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  return magic === MAGIC && length % HEAD_BYTES === 0;
}

/** `undefined` if the bytes are damaged, of another version or of other sources; then everything is read again. */
export function openSnapshot(
  bytes: Uint8Array,
  sources: readonly { readonly name: string }[],
): Pick<LiveIndex, "index" | "tables"> | undefined {
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

function packTables(tables: EntryTables, indexStart: Uint8Array): Uint8Array {
  const all = Array.from(tables.values(), (table) => table.packed());
  // JSON.parse is faster for flat lists of texts than any hand-written parser.
  const texts = JSON.stringify([[...tables.keys()], ...all.map((packed) => packed.texts)]);
  const counts = Uint32Array.from(all.flatMap((packed) => Array.from(packed.counts)));
  return packArrays([indexStart, encoder.encode(texts), counts], VERSION);
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
  const [indexStart, packed, counts] = arrays;
  const belongsToIndex =
    indexStart?.length === INDEX_START_BYTES && indexStart.every((byte, at) => byte === saved[at]);
  const isTyped = packed instanceof Uint8Array && counts instanceof Uint32Array;
  if (!belongsToIndex || !isTyped) return undefined;
  const [names, ...texts] = parseTexts(decoder.decode(packed));
  const belongsToSources =
    names?.length === sources.length && sources.every(({ name }, at) => names[at] === name);
  if (!belongsToSources || texts.length !== sources.length) return undefined;
  return tablesOf(names, texts, counts);
}

function tablesOf(
  names: readonly string[],
  texts: readonly (readonly string[])[],
  counts: Uint32Array,
): EntryTables | undefined {
  const tables = new Map<string, EntryTable>();
  let offset = 0;
  for (const [at, own] of texts.entries()) {
    const packed = { texts: own, counts: counts.subarray(offset, (offset += countsOf(own))) };
    if (!isConsistent(packed)) return undefined;
    tables.set(names[at] ?? "", createEntryTable(packed));
  }
  return offset === counts.length ? tables : undefined;
}

/** Empty unless the JSON is a list of lists of texts. */
function parseTexts(json: string): readonly (readonly string[])[] {
  const lists = parseList(json);
  return lists?.every(isTextList) === true ? lists : [];
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

function isTextList(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((text) => typeof text === "string");
}
