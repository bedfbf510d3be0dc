import { analyzeForm, analyzeRun } from "../analyzer/analyze-form.ts";
import { foldText } from "../analyzer/fold-text.ts";
import { scanForms } from "../analyzer/scan-forms.ts";

/** Counts the terms of one document after the other, each kind of word being taken apart once for all of them. */
export interface TermCounter {
  /** Each term that was met so far; its place is its number. */
  readonly terms: readonly string[];
  readonly addText: (
    text: string,
    how: { readonly weight: number; readonly isShort: boolean },
  ) => void;
  /** Ends a document: how many words it had, and calls back with each of its terms. */
  readonly endDocument: (onTerm: (term: number, count: number) => void) => number;
}

interface KnownForm {
  /** Numbers of its terms, the whole identifier among them. */
  readonly all: readonly number[];
  readonly stops: readonly number[];
  readonly words: number;
}

/** A text with more forms than this has no words that come again. */
const MOST_KNOWN = 500_000;

export function createTermCounter(): TermCounter {
  const terms: string[] = [];
  const numbers = new Map<string, number>();
  const known = new Map<string, KnownForm>();
  const counts: number[] = [];
  let touched: number[] = [];
  let words = 0;
  let weight = 1;
  let isShort = false;

  const numberOf = (term: string): number => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, terms.length);
    counts.push(0);
    return terms.push(term) - 1;
  };
  const learn = (form: string, found: () => KnownForm): KnownForm => {
    const before = known.get(form);
    if (before !== undefined) return before;
    const fresh = found();
    if (known.size < MOST_KNOWN) known.set(form, fresh);
    return fresh;
  };
  const addAll = (numbers: readonly number[]): void => {
    for (const number of numbers) {
      const count = counts[number] ?? 0;
      if (count === 0) touched.push(number);
      counts[number] = count + weight;
    }
  };
  const addKnown = ({ all, stops, words: own }: KnownForm): void => {
    addAll(all);
    // Where there are few words, one that says nothing elsewhere may be all there is.
    if (isShort) addAll(stops);
    words += own;
  };
  const onForm = (form: string): void =>
    addKnown(
      learn(form, () => {
        const { terms: own, whole, stops } = analyzeForm(form);
        const all = [...own, ...(whole === undefined ? [] : [whole])].map(numberOf);
        return { all, stops: stops.map(numberOf), words: own.length };
      }),
    );
  const onRun = (run: string): void => {
    const { single, pairs } = analyzeRun(run);
    addKnown({ all: [...single, ...pairs].map(numberOf), stops: [], words: single.length });
  };
  return {
    terms,
    addText: (text, how) => {
      ({ weight, isShort } = how);
      scanForms(foldText(text), { onForm, onRun });
    },
    endDocument: (onTerm) => {
      for (const term of touched) {
        onTerm(term, counts[term] ?? 0);
        counts[term] = 0;
      }
      const length = words;
      touched = [];
      words = 0;
      return length;
    },
  };
}
