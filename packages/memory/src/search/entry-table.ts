import type { SearchedAmounts } from "./memory-search.ts";

/** What is known of a file of a source. */
export interface KnownEntry {
  /** The sign it was read under; empty where it is to be read again in any case. */
  readonly sign: string;
  readonly memo: string;
  /** What was left out of it; empty where nothing was. */
  readonly problem: string;
  /** How many documents it gave; those it gave again count again. */
  readonly documents: number;
  /** How many of them stand for themselves, and how many are turns. */
  readonly standing: number;
  readonly turns: number;
}

/** The files of each source that are in an index, by source and key. */
export type EntryTables = ReadonlyMap<string, Map<string, KnownEntry>>;

export function createTables(sources: readonly { readonly name: string }[]): EntryTables {
  return new Map(sources.map(({ name }) => [name, new Map()]));
}

/** What there is to look through. */
export function amountsOf(tables: EntryTables): SearchedAmounts {
  let [topics, sessions, turns] = [0, 0, 0];
  for (const table of tables.values()) {
    for (const entry of table.values()) {
      topics += entry.standing;
      turns += entry.turns;
      if (entry.turns > 0) sessions++;
    }
  }
  return { topics, sessions, turns };
}

/** More are counted only: nobody reads a hundred sentences. */
const MOST_PROBLEMS = 5;

/** What was left out of the files, as sentences. */
export function problemsOf(tables: EntryTables): readonly string[] {
  const problems: string[] = [];
  let count = 0;
  for (const table of tables.values()) {
    for (const { problem } of table.values()) {
      if (problem !== "" && count++ < MOST_PROBLEMS) problems.push(problem);
    }
  }
  const others = count - problems.length;
  return others === 0 ? problems : [...problems, `${others} more files were left out likewise.`];
}
