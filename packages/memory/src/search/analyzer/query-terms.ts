import { checkText } from "../../check-arguments.ts";
import { analyzeToken } from "./analyze-token.ts";
import { foldText } from "./fold-text.ts";
import { asksAboutPast } from "./past-question.ts";
import { scanTokens } from "./scan-tokens.ts";
import { unitsOf } from "./text-units.ts";

/** The terms of a query, each with its number of occurrences. */
interface QueryTerms {
  readonly terms: ReadonlyMap<string, number>;
  readonly stops: ReadonlyMap<string, number>;
}

function queryTerms(text: string): QueryTerms {
  const terms = new Map<string, number>();
  const stops = new Map<string, number>();
  const folded = foldText(text);
  scanTokens(unitsOf(folded), {
    onToken: (from, to) => {
      const { terms: found, whole, stops: stopWords } = analyzeToken(folded.slice(from, to));
      for (const term of found) count(terms, term);
      if (whole !== undefined) count(terms, whole);
      for (const stop of stopWords) count(stops, stop);
    },
    onCjkRun: (from, to) => {
      // A pair of characters says more than each of them alone.
      const { single, pairs } = analyzeCjkRun(folded.slice(from, to));
      for (const term of pairs.length === 0 ? single : pairs) count(terms, term);
    },
  });
  return { terms, stops };
}

/** The stems and whole identifiers of a text, each once, without stop words. */
export function searchTerms(text: string): readonly string[] {
  checkText("searchTerms", text);
  return [...queryTerms(text).terms.keys()];
}

function count(counts: Map<string, number>, term: string): void {
  counts.set(term, (counts.get(term) ?? 0) + 1);
}

/** More than enough for a question. A pasted file is not searched for word by word. */
const MAX_QUERY_LENGTH = 4_000;
const MAX_TERMS = 64;

export interface AnalyzedQuery {
  /** Each term with its number of occurrences. */
  readonly terms: ReadonlyMap<string, number>;
  /** Whether the query has nothing but stop words. They are then searched for in names and descriptions. */
  readonly hasOnlyStopWords: boolean;
  /** Whether only the start of the query is searched for. */
  readonly isTruncated: boolean;
  /** Whether it asks about an earlier time. Then newer documents are not preferred. */
  readonly asksAboutPast: boolean;
}

export function analyzeQuery(query: string): AnalyzedQuery {
  const text = query.slice(0, MAX_QUERY_LENGTH);
  const { terms, stops } = queryTerms(text);
  const hasOnlyStopWords = terms.size === 0;
  const all = [...(hasOnlyStopWords ? stops : terms)];
  return {
    terms: new Map(all.slice(0, MAX_TERMS)),
    hasOnlyStopWords,
    isTruncated: query.length > MAX_QUERY_LENGTH || all.length > MAX_TERMS,
    asksAboutPast: asksAboutPast(text),
  };
}

/** The characters of a CJK run, and all pairs of neighbors. */
function analyzeCjkRun(run: string): {
  readonly single: readonly string[];
  readonly pairs: readonly string[];
} {
  const single = Array.from(run);
  return { single, pairs: single.slice(1).map((character, at) => `${single[at]}${character}`) };
}

const MAX_PREFIX_LENGTH = 4;

/**
 * Short prefixes that occur in any lower-case text with these terms. Searching for them takes a fraction of the time that
 * analyzing the text takes. They match a little too much, and miss an identifier split into parts of one or two letters.
 */
export function termPrefixes(terms: Iterable<string>): readonly string[] {
  return [...new Set(Array.from(terms, prefixOf))];
}

/** The last letter of a stem may differ from the word. */
function prefixOf(term: string): string {
  const isStem = /^[a-z]{3,}$/.test(term);
  return term.slice(0, isStem ? Math.min(MAX_PREFIX_LENGTH, term.length - 1) : MAX_PREFIX_LENGTH);
}
