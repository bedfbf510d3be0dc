import { scanTokens, type TokenVisitor } from "../analyzer/scan-tokens.ts";
import { createUnitReader, type TextUnits, visitCjkRun, textFromUnits } from "../analyzer/text-units.ts";
import { analyzeToken, MAX_TOKEN_LENGTH } from "../analyzer/analyze-token.ts";
import { createTokenTable } from "./token-table.ts";

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

export function createTermCounter(): TermCounter {
  const terms: string[] = [];
  const numbers = new Map<string, number>();
  let counts = new Uint32Array(0x10_00);
  const numberOf = (term: string): number => {
    const number = numbers.get(term);
    if (number !== undefined) return number;
    numbers.set(term, terms.length);
    terms.push(term);
    if (terms.length > counts.length) counts = wider(counts);
    return terms.length - 1;
  };
  const known = createKnownTokens(numberOf);
  const read = createUnitReader();
  const touched: number[] = [];
  let words = 0;
  let weight = 1;
  let isShort = false;

  const addTerm = (number: number): void => {
    const count = counts[number] ?? 0;
    if (count === 0) touched.push(number);
    counts[number] = count + weight;
  };
  const addForm = ({ all, stops, words: own }: KnownToken): void => {
    for (let at = 0; at < all.length; at++) addTerm(all[at] ?? 0);
    // Where there are few words, one that says nothing elsewhere may be all there is.
    if (isShort) for (let at = 0; at < stops.length; at++) addTerm(stops[at] ?? 0);
    words += own;
  };
  const onForm = (from: number, to: number): void => {
    const only = known.onlyTerm(from, to);
    if (only === -1) return addForm(known.form(from, to));
    addTerm(only);
    words++;
  };
  const visitorOf = (text: TextUnits): TokenVisitor => ({
    onToken: onForm,
    onCjkRun: (from, to) =>
      visitCjkRun(text, { from, to }, (start, end) => addForm(known.characters(start, end))),
  });
  return {
    terms,
    addText: (text, how) => {
      ({ weight, isShort } = how);
      const units = read(text);
      known.use(units);
      scanTokens(units, visitorOf(units));
    },
    endDocument: (onTerm) => {
      for (let at = 0; at < touched.length; at++) {
        const term = touched[at] ?? 0;
        onTerm(term, counts[term] ?? 0);
        counts[term] = 0;
      }
      const length = words;
      touched.length = 0;
      words = 0;
      return length;
    },
  };
}

function wider(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const room = new Uint32Array(counts.length * 2);
  room.set(counts);
  return room;
}

/** What a form of a word, or a character or two of a script without spaces, comes to. */
export interface KnownToken {
  /** Numbers of its terms, the whole identifier among them. */
  readonly all: readonly number[];
  /** Those of the parts that say nothing by themselves. */
  readonly stops: readonly number[];
  readonly words: number;
}

/** Takes each form apart once for all texts. */
export interface KnownForms {
  /** Says in which text the others look from now on. */
  readonly use: (text: TextUnits) => void;
  /** The number of the only term of a form that was met before; -1 where it was not, or is no single word. */
  readonly onlyTerm: (from: number, to: number) => number;
  readonly form: (from: number, to: number) => KnownToken;
  readonly characters: (from: number, to: number) => KnownToken;
}

const NOTHING: KnownToken = { all: [], stops: [], words: 0 };

export function createKnownTokens(numberOf: (term: string) => number): KnownForms {
  const table = createTokenTable();
  const known = new Map<number, KnownToken>();
  let units: Uint16Array = new Uint16Array(0);
  // Most words have one term. That these lie side by side saves more time than all the rest takes.
  let only = new Int32Array(0x10_00).fill(-1);
  const keepOnly = (number: number, term: number): void => {
    while (number >= only.length) only = twice(only);
    only[number] = term;
  };
  const keep = (number: number, fresh: KnownToken): KnownToken => {
    if (number !== -1) known.set(number, fresh);
    return fresh;
  };
  return {
    use: (text) => {
      ({ units } = text);
      table.use(units);
    },
    onlyTerm: (from, to) => (to - from > MAX_TOKEN_LENGTH ? -1 : (only[table.find(from, to)] ?? -1)),
    form: (from, to) => {
      if (to - from > MAX_TOKEN_LENGTH) return NOTHING;
      const number = table.find(from, to);
      const before = known.get(number);
      if (before !== undefined) return before;
      const { terms, whole, stops } = analyzeToken(textFromUnits(units.subarray(from, to)));
      const all = terms.map(numberOf);
      if (whole !== undefined) all.push(numberOf(whole));
      const fresh = { all, stops: stops.map(numberOf), words: terms.length };
      const [term] = all;
      const isOnly = all.length === 1 && fresh.words === 1 && stops.length === 0;
      if (term === undefined || !isOnly) return keep(number, fresh);
      if (number !== -1) keepOnly(number, term);
      return fresh;
    },
    characters: (from, to) => {
      const number = table.find(from, to);
      const before = known.get(number);
      if (before !== undefined) return before;
      const text = textFromUnits(units.subarray(from, to));
      const isSingle = text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length;
      return keep(number, { all: [numberOf(text)], stops: [], words: isSingle ? 1 : 0 });
    },
  };
}

function twice(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const room = new Int32Array(numbers.length * 2).fill(-1);
  room.set(numbers);
  return room;
}
