import type { Queries } from "./queries.ts";
import type { CountFound } from "./topic-finders.ts";

/** In milliseconds, the shortest first. */
export interface QueryTimes {
  readonly keywords: readonly number[];
  readonly questions: readonly number[];
}

interface TimedFinders {
  readonly finders: ReadonlyMap<string, CountFound>;
  readonly queries: Queries;
  readonly passes: number;
}

/** They take turns, pass by pass: what slows the machine down slows them all. The first pass fills the caches. */
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
      { keywords: inOrder(finder.keywords), questions: inOrder(finder.questions) },
    ]),
  );
}

/** The longest of several times, in milliseconds. Nothing is warmed up: who asks it, asks it once. */
export function slowestOf(find: CountFound, query: string, times: number): number {
  const asked = Array.from({ length: times }, () => query);
  return Math.max(...timeEach(find, asked));
}

function timeEach(find: CountFound, queries: readonly string[]): readonly number[] {
  return queries.map((query) => {
    const started = performance.now();
    find(query);
    return performance.now() - started;
  });
}

function inOrder(times: readonly number[]): readonly number[] {
  return times.toSorted((a, b) => a - b);
}

/** The time that this share of all is shorter than. */
export function percentile(ordered: readonly number[] = [], share: number): number {
  return ordered[Math.floor(ordered.length * share)] ?? Number.NaN;
}
