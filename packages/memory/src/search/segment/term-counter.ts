import { scanForms, type FormVisitor } from "../analyzer/scan-tokens.ts";
import { createUnitReader, type TextUnits } from "../analyzer/text-units.ts";
import { visitCharacters } from "../analyzer/visit-characters.ts";
import { createKnownForms, type KnownForm } from "./known-forms.ts";

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
  const known = createKnownForms(numberOf);
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
  const addForm = ({ all, stops, words: own }: KnownForm): void => {
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
  const visitorOf = (text: TextUnits): FormVisitor => ({
    onForm,
    onRun: (from, to) =>
      visitCharacters(text, { from, to }, (start, end) => addForm(known.characters(start, end))),
  });
  return {
    terms,
    addText: (text, how) => {
      ({ weight, isShort } = how);
      const units = read(text);
      known.use(units);
      scanForms(units, visitorOf(units));
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
