import type { SearchedCounts } from "../results/results.ts";
import type { SourceEntry } from "./source.ts";

/** What is known about an entry of a source. */
export interface KnownEntry {
  /** The fingerprint at the last read; empty if the entry must be read again in any case. */
  readonly fingerprint: string;
  readonly cursor: string;
  /** What was left out; empty if nothing was. */
  readonly problem: string;
  /** How many documents it returned; repeated ones count again. */
  readonly documents: number;
  /** How many of them are ranked independently, and how many are turns. */
  readonly standalone: number;
  readonly turns: number;
  /** What of it may be shown as a note, as one text. */
  readonly notes: string;
}

/** The entries of a source that are in an index. */
export interface EntryTable {
  /** By key. May be changed until another method is called. */
  readonly known: () => Map<string, KnownEntry>;
  /** True only if nothing needs to be read. Avoids building a map of thousands of entries, which is rarely needed. */
  readonly isUnchanged: (entries: readonly SourceEntry[]) => boolean;
  readonly packed: () => PackedEntries;
}

/** A serialized table. */
export interface PackedEntries {
  /** Key, fingerprint, cursor, problem and notes of each entry. */
  readonly texts: readonly string[];
  /** Number of documents, standalone documents and turns of each entry. */
  readonly counts: ArrayLike<number>;
}

/** By the name of the source. */
export type EntryTables = ReadonlyMap<string, EntryTable>;

const TEXTS = 5;
const PROBLEM = 3;
const NOTES = 4;
const COUNTS = 3;

export function createEntryTable(from: PackedEntries = { texts: [], counts: [] }): EntryTable {
  let packed: PackedEntries | undefined = from;
  let known: Map<string, KnownEntry> | undefined;
  return {
    known: () => {
      known ??= unpacked(from);
      packed = undefined;
      return known;
    },
    isUnchanged: (entries) => packed !== undefined && areSame(packed.texts, entries),
    packed: () => (packed ??= packedOf(known ?? new Map())),
  };
}

export function createEntryTables(sources: readonly { readonly name: string }[]): EntryTables {
  return new Map(sources.map(({ name }) => [name, createEntryTable()]));
}

/** Whether the lengths match. */
export function isConsistent({ texts, counts }: PackedEntries): boolean {
  return texts.length % TEXTS === 0 && texts.length / TEXTS === counts.length / COUNTS;
}

/** How many counts belong to the texts. */
export function countsOf(texts: readonly string[]): number {
  return Math.floor(texts.length / TEXTS) * COUNTS;
}

function areSame(texts: readonly string[], entries: readonly SourceEntry[]): boolean {
  if (texts.length !== entries.length * TEXTS) return false;
  let at = 0;
  for (const { key, fingerprint } of entries) {
    if (fingerprint === "" || texts[at] !== key || texts[at + 1] !== fingerprint) return false;
    at += TEXTS;
  }
  return true;
}

function unpacked({ texts, counts }: PackedEntries): Map<string, KnownEntry> {
  const known = new Map<string, KnownEntry>();
  const textAt = (at: number): string => texts[at] ?? "";
  const countAt = (at: number): number => counts[at] ?? 0;
  for (let entry = 0; entry * TEXTS < texts.length; entry++) {
    const [text, count] = [entry * TEXTS, entry * COUNTS];
    known.set(textAt(text), {
      fingerprint: textAt(text + 1),
      cursor: textAt(text + 2),
      problem: textAt(text + PROBLEM),
      documents: countAt(count),
      standalone: countAt(count + 1),
      turns: countAt(count + 2),
      notes: textAt(text + NOTES),
    });
  }
  return known;
}

function packedOf(known: ReadonlyMap<string, KnownEntry>): PackedEntries {
  const texts: string[] = [];
  const counts: number[] = [];
  for (const [key, entry] of known) {
    texts.push(key, entry.fingerprint, entry.cursor, entry.problem, entry.notes);
    counts.push(entry.documents, entry.standalone, entry.turns);
  }
  return { texts, counts };
}

/** How much there is to search. */
export function countEntries(tables: EntryTables): SearchedCounts {
  let [topics, sessions, turns] = [0, 0, 0];
  for (const table of tables.values()) {
    const { counts } = table.packed();
    for (let at = 0; at < counts.length; at += COUNTS) {
      topics += counts[at + 1] ?? 0;
      turns += counts[at + 2] ?? 0;
      if ((counts[at + 2] ?? 0) > 0) sessions++;
    }
  }
  return { topics, sessions, turns };
}

/** Further problems are only counted: no one reads a hundred messages. */
const MAX_PROBLEMS = 5;

/** What was left out of the entries. Each is a full sentence. */
export function collectProblems(tables: EntryTables): readonly string[] {
  const problems: string[] = [];
  for (const table of tables.values()) {
    const { texts } = table.packed();
    for (let at = PROBLEM; at < texts.length; at += TEXTS) {
      const problem = texts[at] ?? "";
      if (problem !== "") problems.push(problem);
    }
  }
  const others = problems.length - MAX_PROBLEMS;
  if (others <= 0) return problems;
  return [...problems.slice(0, MAX_PROBLEMS), `${others} more files were left out.`];
}

/**
 * The notes of each entry of a table.
 * @yields the key and the notes of an entry that has some
 */
export function* entryNotes(table: EntryTable): Generator<readonly [string, string]> {
  const { texts } = table.packed();
  for (let at = 0; at < texts.length; at += TEXTS) {
    const notes = texts[at + NOTES] ?? "";
    if (notes !== "") yield [texts[at] ?? "", notes];
  }
}
