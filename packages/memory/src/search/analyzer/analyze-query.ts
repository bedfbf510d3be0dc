import { analyzeForm, analyzeRun } from "./analyze-form.ts";
import { foldText } from "./fold-text.ts";
import { scanForms } from "./scan-forms.ts";

/** A question of a person fits in easily; a file that was pasted in need not be looked for word for word. */
const LONGEST_QUERY = 4_000;
const MOST_TERMS = 64;

/** What is looked for. */
export interface AnalyzedQuery {
  /** Each once, with how often it was named. */
  readonly terms: ReadonlyMap<string, number>;
  /** Whether nothing but words was named that say nothing; they are looked for in names and descriptions then. */
  readonly isOnlyStops: boolean;
  /** Whether there was more than is looked for. */
  readonly isCut: boolean;
}

export function analyzeQuery(query: string): AnalyzedQuery {
  const terms = new Map<string, number>();
  const stops = new Map<string, number>();
  const text = foldText(query.slice(0, LONGEST_QUERY));
  scanForms(text, {
    onForm: (form) => {
      const { terms: found, whole, stops: idle } = analyzeForm(form);
      for (const term of found) count(terms, term);
      if (whole !== undefined) count(terms, whole);
      for (const stop of idle) count(stops, stop);
    },
    onRun: (run) => {
      const { single, pairs } = analyzeRun(run);
      for (const term of pairs.length === 0 ? single : pairs) count(terms, term);
    },
  });
  const isOnlyStops = terms.size === 0;
  const all = [...(isOnlyStops ? stops : terms)];
  return {
    terms: new Map(all.slice(0, MOST_TERMS)),
    isOnlyStops,
    isCut: query.length > LONGEST_QUERY || all.length > MOST_TERMS,
  };
}

function count(counts: Map<string, number>, term: string): void {
  counts.set(term, (counts.get(term) ?? 0) + 1);
}
