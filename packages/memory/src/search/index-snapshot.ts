import { createSearchIndex } from "./create-search-index.ts";
import { createTables, type EntryTables, type KnownEntry } from "./entry-table.ts";
import type { KnownIndex } from "./living-index.ts";
import { packArrays, unpackArrays } from "./segment/array-bundle.ts";

/** Goes up with every change of the tables, or of what sources say of their files. The index has a version of its own. */
const VERSION = 0x53_00_01;
/** Reads as another number where bytes stand in another order. */
const MAGIC = 0x43_41_4c_53;
/** Magic, and how many bytes the tables are. */
const HEAD_BYTES = 8;
/** The beginning of an index, in which its checksum stands. */
const BEGINNING_BYTES = 16;

/**
 * An index and the files that are in it, as bytes: the tables, and the index behind them. Each has a checksum, and the
 * tables know the one of the index, so that parts of two snapshots never pass for one.
 */
export function packSnapshot({ index, tables }: KnownIndex): Uint8Array {
  const saved = index.save();
  const packed = packTables(tables, saved.subarray(0, BEGINNING_BYTES));
  const bytes = new Uint8Array(HEAD_BYTES + packed.length + saved.length);
  new Uint32Array(bytes.buffer, 0, 2).set([MAGIC, packed.length]);
  bytes.set(packed, HEAD_BYTES);
  bytes.set(saved, HEAD_BYTES + packed.length);
  return bytes;
}

/** `undefined` where the bytes are damaged, of another version or of other sources: then everything is read anew. */
export function openSnapshot(
  bytes: Uint8Array,
  sources: readonly { readonly name: string }[],
): KnownIndex | undefined {
  if (bytes.length < HEAD_BYTES || bytes.byteOffset % HEAD_BYTES !== 0) return undefined;
  const [magic, length = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  if (magic !== MAGIC || length % HEAD_BYTES !== 0) return undefined;
  const saved = bytes.subarray(HEAD_BYTES + length);
  const tables = openTables(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length), { saved, sources });
  if (tables === undefined) return undefined;
  const index = createSearchIndex();
  return index.load(saved).kind === "loaded" ? { index, tables } : undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function packTables(tables: EntryTables, beginning: Uint8Array): Uint8Array {
  const texts: string[][] = [];
  const counts: number[] = [];
  for (const [source, table] of tables) {
    const own = [source];
    for (const [key, { sign, memo, problem, ...amounts }] of table) {
      own.push(key, sign, memo, problem);
      counts.push(amounts.documents, amounts.standing, amounts.turns);
    }
    texts.push(own);
  }
  // A flat list of texts is parsed faster than anything that could be taken apart by hand.
  const packed = encoder.encode(JSON.stringify(texts));
  return packArrays([beginning, packed, Uint32Array.from(counts)], VERSION);
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
  if (!isOfIndex || !(packed instanceof Uint8Array)) return undefined;
  const texts = parseTexts(decoder.decode(packed), sources);
  return texts && filledTables(texts, counts ?? new Uint32Array(), sources);
}

function filledTables(
  texts: readonly (readonly string[])[],
  counts: ArrayLike<number>,
  sources: readonly { readonly name: string }[],
): EntryTables | undefined {
  const tables = createTables(sources);
  let place = 0;
  for (const own of texts) place = fillTable(tables.get(own[0] ?? ""), own, { counts, place });
  return place === counts.length ? tables : undefined;
}

const TEXTS_OF_ENTRY = 4;

/** Says up to where it took from the counts. Place by place, because there may be many thousand. */
function fillTable(
  table: Map<string, KnownEntry> | undefined,
  texts: readonly string[],
  { counts, place }: { readonly counts: ArrayLike<number>; readonly place: number },
): number {
  const textAt = (at: number): string => texts[at] ?? "";
  let next = place;
  for (let at = 1; at + TEXTS_OF_ENTRY <= texts.length; at += TEXTS_OF_ENTRY) {
    table?.set(textAt(at), {
      sign: textAt(at + 1),
      memo: textAt(at + 2),
      problem: textAt(at + 3),
      documents: counts[next++] ?? 0,
      standing: counts[next++] ?? 0,
      turns: counts[next++] ?? 0,
    });
  }
  return next;
}

/** A list for each source, with its name before the texts. */
function parseTexts(
  json: string,
  sources: readonly { readonly name: string }[],
): readonly (readonly string[])[] | undefined {
  const lists = parseList(json);
  if (lists?.every(isTexts) !== true || lists.length !== sources.length) return undefined;
  return sources.every(({ name }, at) => lists[at]?.[0] === name) ? lists : undefined;
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
