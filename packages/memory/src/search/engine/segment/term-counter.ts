import { analyzeToken, MAX_TOKEN_LENGTH } from "../../analyzer/analyze-token.ts";
import { scanTokens, type TokenVisitor } from "../../analyzer/scan-tokens.ts";
import {
  createUnitReader,
  textFromUnits,
  type TextUnits,
  visitCjkRun,
} from "../../analyzer/text-units.ts";
import { createTokenTable } from "./token-table.ts";

/** Counts the terms of one document after the other. Each distinct token is analyzed only once. */
export interface TermCounter {
  /** All terms so far; the index of a term is its number. */
  readonly terms: readonly string[];
  readonly addText: (
    text: string,
    field: { readonly weight: number; readonly isShort: boolean },
  ) => void;
  /** Adds a term that is not a word. */
  readonly addKey: (key: string) => void;
  /** Ends a document: passes each of its terms to the callback, and returns its number of words. */
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
    if (terms.length > counts.length) counts = doubled(counts);
    return terms.length - 1;
  };
  const known = createKnownTokens(numberOf);
  const read = createUnitReader();
  const touched: number[] = [];
  let [words, weight, isShort] = [0, 1, false];
  const addTerm = (number: number): void => {
    const count = counts[number] ?? 0;
    if (count === 0) touched.push(number);
    counts[number] = count + weight;
  };
  const addToken = ({ all, stops, words: own }: KnownToken): void => {
    for (let at = 0; at < all.length; at++) addTerm(all[at] ?? 0);
    // A short field may consist of stop words only.
    if (isShort) for (let at = 0; at < stops.length; at++) addTerm(stops[at] ?? 0);
    words += own;
  };
  const onToken = (from: number, to: number): void => {
    const only = known.onlyTerm(from, to);
    if (only === -1) return addToken(known.token(from, to));
    addTerm(only);
    words++;
  };
  const createVisitor = (text: TextUnits): TokenVisitor => ({
    onToken,
    onCjkRun: (from, to) =>
      visitCjkRun(text, { from, to }, (start, end) => addToken(known.characters(start, end))),
  });
  return {
    terms,
    addText: (text, field) => {
      ({ weight, isShort } = field);
      const units = read(text);
      known.use(units);
      scanTokens(units, createVisitor(units));
    },
    addKey: (key) => addTerm(numberOf(key)),
    endDocument: (onTerm) => {
      for (let at = 0; at < touched.length; at++) {
        const term = touched[at] ?? 0;
        onTerm(term, counts[term] ?? 0);
        counts[term] = 0;
      }
      touched.length = 0;
      const length = words;
      words = 0;
      return length;
    },
  };
}

function doubled(counts: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(counts.length * 2);
  larger.set(counts);
  return larger;
}

/** The terms of a token, or of one or two characters of a CJK run. */
interface KnownToken {
  /** The numbers of its terms, including the whole identifier. */
  readonly all: readonly number[];
  /** The numbers of its stop words. */
  readonly stops: readonly number[];
  readonly words: number;
}

/** Analyzes each distinct token once. */
interface KnownTokens {
  /** Sets the text that the other methods refer to. */
  readonly use: (text: TextUnits) => void;
  /** The number of the only term of a known token; -1 if the token is new or not a single word. */
  readonly onlyTerm: (from: number, to: number) => number;
  readonly token: (from: number, to: number) => KnownToken;
  readonly characters: (from: number, to: number) => KnownToken;
}

const NO_TERMS: KnownToken = { all: [], stops: [], words: 0 };

function createKnownTokens(numberOf: (term: string) => number): KnownTokens {
  const table = createTokenTable();
  const known = new Map<number, KnownToken>();
  let units: Uint16Array = new Uint16Array(0);
  // Most words have exactly one term. Keeping these in one array saves more time than everything else takes.
  let only = new Int32Array(0x10_00).fill(-1);
  const keepOnly = (number: number, term: number): void => {
    while (number >= only.length) only = doubledWithGaps(only);
    only[number] = term;
  };
  const keep = (number: number, result: KnownToken): KnownToken => {
    if (number !== -1) known.set(number, result);
    return result;
  };
  return {
    use: (text) => {
      ({ units } = text);
      table.use(units);
    },
    onlyTerm: (from, to) =>
      to - from > MAX_TOKEN_LENGTH ? -1 : (only[table.find(from, to)] ?? -1),
    token: (from, to) => {
      if (to - from > MAX_TOKEN_LENGTH) return NO_TERMS;
      const number = table.find(from, to);
      const before = known.get(number);
      if (before !== undefined) return before;
      const { terms, whole, stops } = analyzeToken(textFromUnits(units.subarray(from, to)));
      const all = terms.map(numberOf);
      if (whole !== undefined) all.push(numberOf(whole));
      const result = { all, stops: stops.map(numberOf), words: terms.length };
      const [term] = all;
      const isOnly = all.length === 1 && result.words === 1 && stops.length === 0;
      if (term === undefined || !isOnly) return keep(number, result);
      if (number !== -1) keepOnly(number, term);
      return result;
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

function doubledWithGaps(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2).fill(-1);
  larger.set(numbers);
  return larger;
}
