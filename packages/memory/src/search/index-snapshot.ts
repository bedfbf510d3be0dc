import { createSearchIndex } from "./create-search-index.ts";
import { createTables, type EntryTables, type KnownEntry } from "./entry-table.ts";
import type { KnownIndex } from "./living-index.ts";
import { packArrays, unpackArrays } from "./segment/array-bundle.ts";

/** Goes up with every change of the tables, or of what sources say of their files. The index has a version of its own. */
const VERSION = 0x53_00_01;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An index and the files that are in it, as bytes. */
export function packSnapshot({ index, tables }: KnownIndex): Uint8Array {
  const texts: string[][] = [];
  const counts: number[] = [];
  for (const [source, table] of tables) {
    const own = [source];
    for (const [key, { sign, memo, problem, standing, turns }] of table) {
      own.push(key, sign, memo, problem);
      counts.push(standing, turns);
    }
    texts.push(own);
  }
  // One flat list of texts is read faster than anything that we could take apart by hand.
  const packed = encoder.encode(JSON.stringify(texts));
  return packArrays([index.save(), packed, Uint32Array.from(counts)], VERSION);
}

/** `undefined` where the bytes are damaged, of another version or of other sources: then everything is read anew. */
export function openSnapshot(
  bytes: Uint8Array,
  sources: readonly { readonly name: string }[],
): KnownIndex | undefined {
  const arrays = unpackArrays(bytes, VERSION);
  if (typeof arrays === "string") return undefined;
  const [saved, packed, counts] = arrays;
  if (!(saved instanceof Uint8Array && packed instanceof Uint8Array)) return undefined;
  if (!(counts instanceof Uint32Array)) return undefined;
  const tables = openTables({ packed, counts }, sources);
  if (tables === undefined) return undefined;
  const index = createSearchIndex();
  return index.load(saved).kind === "loaded" ? { index, tables } : undefined;
}

const TEXTS_OF_ENTRY = 4;

function openTables(
  { packed, counts }: { readonly packed: Uint8Array; readonly counts: Uint32Array },
  sources: readonly { readonly name: string }[],
): EntryTables | undefined {
  const texts = parseTexts(decoder.decode(packed));
  const isOfThese =
    texts?.length === sources.length && sources.every(({ name }, at) => texts[at]?.[0] === name);
  if (texts === undefined || !isOfThese) return undefined;
  const tables = createTables(sources);
  let place = 0;
  for (const [name = "", ...own] of texts) {
    const table = tables.get(name) ?? new Map<string, KnownEntry>();
    for (let at = 0; at + TEXTS_OF_ENTRY <= own.length; at += TEXTS_OF_ENTRY) {
      table.set(own[at] ?? "", {
        sign: own[at + 1] ?? "",
        memo: own[at + 2] ?? "",
        problem: own[at + 3] ?? "",
        standing: counts[place++] ?? 0,
        turns: counts[place++] ?? 0,
      });
    }
  }
  return place === counts.length ? tables : undefined;
}

function parseTexts(json: string): readonly (readonly string[])[] | undefined {
  const lists = parseList(json);
  return lists?.every(isTexts) === true ? lists : undefined;
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
