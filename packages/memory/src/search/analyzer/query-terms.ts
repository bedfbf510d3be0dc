import { analyzeToken } from "./analyze-token.ts";
import { foldText } from "./fold-text.ts";
import { scanTokens } from "./scan-tokens.ts";
import { unitsOf } from "./text-units.ts";

/** What a text looks for: each once, with how often it is named. */
export interface QueryTerms {
  readonly terms: ReadonlyMap<string, number>;
  /** Words that say nothing by themselves. */
  readonly stops: ReadonlyMap<string, number>;
}

export function queryTerms(text: string): QueryTerms {
  const terms = new Map<string, number>();
  const stops = new Map<string, number>();
  const folded = foldText(text);
  scanTokens(unitsOf(folded), {
    onToken: (from, to) => {
      const { terms: found, whole, stops: idle } = analyzeToken(folded.slice(from, to));
      for (const term of found) count(terms, term);
      if (whole !== undefined) count(terms, whole);
      for (const stop of idle) count(stops, stop);
    },
    onCjkRun: (from, to) => {
      // A single character says little beside those that stand together.
      const { single, pairs } = analyzeCjkRun(folded.slice(from, to));
      for (const term of pairs.length === 0 ? single : pairs) count(terms, term);
    },
  });
  return { terms, stops };
}

/** The stems and whole identifiers by which a text is looked for, each once; words that say nothing are left out. */
export function searchTerms(text: string): readonly string[] {
  return [...queryTerms(text).terms.keys()];
}

function count(counts: Map<string, number>, term: string): void {
  counts.set(term, (counts.get(term) ?? 0) + 1);
}

/** A question of a person fits in easily; a file that was pasted in need not be looked for word for word. */
const LONGEST_QUERY = 4_000;
const MOST_TERMS = 64;

/** What is looked for. */
export interface AnalyzedQuery {
  /** Each once, with how often it was named. */
  readonly terms: ReadonlyMap<string, number>;
  /** Whether nothing but words was named that say nothing; they are looked for in names and descriptions then. */
  readonly hasOnlyStopWords: boolean;
  /** Whether there was more than is looked for. */
  readonly isTruncated: boolean;
}

export function analyzeQuery(query: string): AnalyzedQuery {
  const { terms, stops } = queryTerms(query.slice(0, LONGEST_QUERY));
  const isOnlyStops = terms.size === 0;
  const all = [...(isOnlyStops ? stops : terms)];
  return {
    terms: new Map(all.slice(0, MOST_TERMS)),
    hasOnlyStopWords: isOnlyStops,
    isTruncated: query.length > LONGEST_QUERY || all.length > MOST_TERMS,
  };
}

/** The characters of a script without spaces, and each two that stand side by side. */
export function analyzeCjkRun(run: string): {
  readonly single: readonly string[];
  readonly pairs: readonly string[];
} {
  const single = Array.from(run);
  return { single, pairs: single.slice(1).map((character, at) => `${single[at]}${character}`) };
}

const LONGEST = 4;

/**
 * What a text has somewhere, in lower case, that holds one of these terms: how their words begin. To look for these takes a
 * fraction of the time that it takes to take a text apart. It finds a little too much, and misses an identifier that is written
 * in parts of a letter or two.
 */
export function termPrefixes(terms: Iterable<string>): readonly string[] {
  return [...new Set(Array.from(terms, beginningOf))];
}

/** The last letter of a stem need not be the one that stands in the word. */
function beginningOf(term: string): string {
  const isStem = /^[a-z]{3,}$/.test(term);
  return term.slice(0, isStem ? Math.min(LONGEST, term.length - 1) : LONGEST);
}
