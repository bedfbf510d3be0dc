import type { Queries } from "./queries.ts";
import type { CountFound } from "./topic-finders.ts";

/** Sorted times in milliseconds. */
export interface QueryTimes {
  readonly keywords: readonly number[];
  readonly questions: readonly number[];
}

interface TimedFinders {
  readonly finders: ReadonlyMap<string, CountFound>;
  readonly queries: Queries;
  readonly passes: number;
}

/** Times the engines in turn, pass after pass, so that a busy machine slows all of them. The first pass fills caches. */
export function timeFinders({
  finders,
  queries: { keywords, questions },
  passes,
}: TimedFinders): ReadonlyMap<string, QueryTimes> {
  const all = [...finders].map(([name, find]) => ({
    name,
    find,
    keywords: [] as number[],
    questions: [] as number[],
  }));
  for (let pass = -1; pass < passes; pass++) {
    for (const finder of all) {
      const [short, long] = [keywords, questions].map((some) => timeEach(finder.find, some));
      if (pass < 0) continue;
      finder.keywords.push(...(short ?? []));
      finder.questions.push(...(long ?? []));
    }
  }
  return new Map(
    all.map((finder) => [
      finder.name,
      { keywords: sorted(finder.keywords), questions: sorted(finder.questions) },
    ]),
  );
}

/** Returns the longest of several times in milliseconds, without warm-up, because such a query is sent only once. */
export function slowestOf(find: CountFound, query: string, times: number): number {
  const queries = Array.from({ length: times }, () => query);
  return Math.max(...timeEach(find, queries));
}

function timeEach(find: CountFound, queries: readonly string[]): readonly number[] {
  return queries.map((query) => {
    const started = performance.now();
    find(query);
    return performance.now() - started;
  });
}

function sorted(times: readonly number[]): readonly number[] {
  return times.toSorted((a, b) => a - b);
}

/** The time below which this share of all times is. */
export function percentile(ordered: readonly number[] = [], share: number): number {
  return ordered[Math.floor(ordered.length * share)] ?? Number.NaN;
}
