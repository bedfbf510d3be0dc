import type { SearchedCounts } from "../results.ts";
import type { SourceEntry } from "../source.ts";

/** What is known of a file of a source. */
export interface KnownEntry {
  /** The sign it was read under; empty where it is to be read again in any case. */
  readonly fingerprint: string;
  readonly cursor: string;
  /** What was left out of it; empty where nothing was. */
  readonly problem: string;
  /** How many documents it gave; those it gave again count again. */
  readonly documents: number;
  /** How many of them stand for themselves, and how many are turns. */
  readonly standing: number;
  readonly turns: number;
}

/** The files of a source that are in an index. */
export interface EntryTable {
  /** By key, to be read, and to be changed until anything else is asked for. */
  readonly known: () => Map<string, KnownEntry>;
  /** True only where nothing is to be read: told without a map of thousands of files, which most often nobody needs. */
  readonly isUnchanged: (entries: readonly SourceEntry[]) => boolean;
  readonly packed: () => PackedEntries;
}

/** A table as it is kept. */
export interface PackedEntries {
  /** Of each file its key, sign, memo and problem. */
  readonly texts: readonly string[];
  /** Of each file how many documents, standing ones and turns. */
  readonly counts: ArrayLike<number>;
}

/** Of each source, by its name. */
export type EntryTables = ReadonlyMap<string, EntryTable>;

const TEXTS = 4;
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

/** Whether there is as much of everything as there should be. */
export function isConsistent({ texts, counts }: PackedEntries): boolean {
  return texts.length % TEXTS === 0 && texts.length / TEXTS === counts.length / COUNTS;
}

/** How many numbers belong to so many texts. */
export function countsOf(texts: readonly string[]): number {
  return Math.floor(texts.length / TEXTS) * COUNTS;
}

function areSame(texts: readonly string[], entries: readonly SourceEntry[]): boolean {
  if (texts.length !== entries.length * TEXTS) return false;
  let at = 0;
  for (const { key, fingerprint: sign } of entries) {
    if (sign === "" || texts[at] !== key || texts[at + 1] !== sign) return false;
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
      problem: textAt(text + 3),
      documents: countAt(count),
      standing: countAt(count + 1),
      turns: countAt(count + 2),
    });
  }
  return known;
}

function packedOf(known: ReadonlyMap<string, KnownEntry>): PackedEntries {
  const texts: string[] = [];
  const counts: number[] = [];
  for (const [key, { fingerprint: sign, cursor: memo, problem, documents, standing, turns }] of known) {
    texts.push(key, sign, memo, problem);
    counts.push(documents, standing, turns);
  }
  return { texts, counts };
}

/** What there is to look through. */
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

/** More are counted only: nobody reads a hundred sentences. */
const MOST_PROBLEMS = 5;

/** What was left out of the files, as sentences. */
export function collectProblems(tables: EntryTables): readonly string[] {
  const problems: string[] = [];
  for (const table of tables.values()) {
    const { texts } = table.packed();
    for (let at = TEXTS - 1; at < texts.length; at += TEXTS) {
      const problem = texts[at] ?? "";
      if (problem !== "") problems.push(problem);
    }
  }
  const others = problems.length - MOST_PROBLEMS;
  if (others <= 0) return problems;
  return [...problems.slice(0, MOST_PROBLEMS), `${others} more files were left out likewise.`];
}
