import { analyzeForm } from "./analyze-token.ts";
import { analyzeRun } from "./analyze-run.ts";
import { foldText } from "./fold-text.ts";
import { scanForms } from "./scan-tokens.ts";
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
  scanForms(unitsOf(folded), {
    onForm: (from, to) => {
      const { terms: found, whole, stops: idle } = analyzeForm(folded.slice(from, to));
      for (const term of found) count(terms, term);
      if (whole !== undefined) count(terms, whole);
      for (const stop of idle) count(stops, stop);
    },
    onRun: (from, to) => {
      // A single character says little beside those that stand together.
      const { single, pairs } = analyzeRun(folded.slice(from, to));
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
