import { stemmer } from "stemmer";
import { STOP_WORDS } from "./stop-words.ts";

/** Longer than any word that somebody looks for: keys, pictures and the like as text. */
export const MAX_TOKEN_LENGTH = 256;
const LONGEST_TERM = 64;

/** What a form of a word stands for. */
export interface AnalyzedToken {
  /** By which it is found. */
  readonly terms: readonly string[];
  /** The identifier as a whole, where the form has several parts: a further key, and no further word. */
  readonly whole: string | undefined;
  /** Parts that say nothing by themselves. */
  readonly stops: readonly string[];
}

const NOTHING: AnalyzedToken = { terms: [], whole: undefined, stops: [] };

/** A word or identifier as it is looked up: in lower case, split, and each part by its stem. */
export function analyzeToken(form: string): AnalyzedToken {
  if (form.length > MAX_TOKEN_LENGTH) return NOTHING;
  if (SINGLE.test(form)) return analyzeSingle(form.toLowerCase());
  const { parts, whole } = splitIdentifier(form);
  const telling = whole === undefined ? parts : parts.filter((part) => !LONE_DIGIT.test(part));
  const stops = telling.filter((part) => STOP_WORDS.has(part));
  const terms = telling.filter((part) => !STOP_WORDS.has(part)).map(toTerm);
  return { terms, whole: whole === undefined ? undefined : toTerm(whole), stops };
}

/** Tells nothing without the rest of the identifier: `v2` is not about two. */
const LONE_DIGIT = /^\d$/;

/** Most words by far: there is nothing to split. */
const SINGLE = /^(?:[A-Za-z][a-z]*|[A-Z]+)$/;

function analyzeSingle(word: string): AnalyzedToken {
  const isStop = STOP_WORDS.has(word);
  return {
    terms: isStop ? [] : [toTerm(word)],
    whole: undefined,
    stops: isStop ? [word] : [],
  };
}

function toTerm(word: string): string {
  const term = /^[a-z]+$/.test(word) ? stemOf(word) : word;
  return term.length <= LONGEST_TERM
    ? term.toWellFormed()
    : term.slice(0, LONGEST_TERM).toWellFormed();
}

const SHORTEST_WITH_ENDING = 5;

/** Of `deploy` the stemmer makes `deploi`, of `deployment` it leaves `deploy`: they are one word all the same. */
function stemOf(word: string): string {
  const stem = stemmer(word);
  const isLeftOver = stem.length >= SHORTEST_WITH_ENDING && stem.endsWith("y");
  return isLeftOver ? `${stem.slice(0, -1)}i` : stem;
}

/** The parts of a word as programs write it: `parseTopicHeader`, `snake_case`, `src/node/disk.ts`, `HTTPServer2`. */
export interface SplitIdentifier {
  readonly parts: readonly string[];
  /** All parts as one word, where there are several: who looks for the identifier finds it, however it is written. */
  readonly whole: string | undefined;
}

const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{L}\p{M}]+?(?=\p{Lu}|[^\p{L}\p{M}]|$)|\p{N}+/gu;
const APOSTROPHE = /['’]/;

export function splitIdentifier(form: string): SplitIdentifier {
  const parts = (form.match(PARTS) ?? []).map((part) => part.toLowerCase());
  if (parts.length < 2 || APOSTROPHE.test(form)) return { parts, whole: undefined };
  const isNumber = parts.every((part) => /^\p{N}/u.test(part));
  return { parts, whole: parts.join(isNumber ? "." : "") };
}
