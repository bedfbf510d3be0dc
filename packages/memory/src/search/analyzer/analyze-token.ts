import { stemmer } from "stemmer";
import { BASE_FORMS } from "./irregular-forms.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** Longer tokens are keys, encoded images and the like, which no one searches for. */
export const MAX_TOKEN_LENGTH = 256;
const MAX_TERM_LENGTH = 64;

/** A token split into search terms. */
export interface AnalyzedToken {
  /** The terms that find it. */
  readonly terms: readonly string[];
  /** The whole identifier, if it has several parts. It is an additional key and does not count as another word. */
  readonly whole: string | undefined;
  /** Parts that are stop words. */
  readonly stops: readonly string[];
}

const NO_TERMS: AnalyzedToken = { terms: [], whole: undefined, stops: [] };

/** Splits a word or identifier into lower-case parts and stems each of them. */
export function analyzeToken(token: string): AnalyzedToken {
  if (token.length > MAX_TOKEN_LENGTH) return NO_TERMS;
  if (SINGLE.test(token)) return analyzeSingle(token.toLowerCase());
  const { parts, whole } = splitIdentifier(token);
  const isStop = (part: string): boolean =>
    STOP_WORDS.has(part) || (part === "won" && APOSTROPHE.test(token));
  const significant = whole === undefined ? parts : parts.filter((part) => !LONE_DIGIT.test(part));
  const stops = significant.filter(isStop);
  const terms = significant.filter((part) => !isStop(part)).map(toTerm);
  return { terms, whole: whole === undefined ? undefined : toTerm(whole), stops };
}

/** Meaningless without the rest of the identifier: `v2` is not about two. */
const LONE_DIGIT = /^\d$/;

/** Nearly all words: there is nothing to split. */
const SINGLE = /^(?:[A-Za-z][a-z]*|[A-Z]+)$/;

function analyzeSingle(word: string): AnalyzedToken {
  const isStopWord = STOP_WORDS.has(word);
  return {
    terms: isStopWord ? [] : [toTerm(word)],
    whole: undefined,
    stops: isStopWord ? [word] : [],
  };
}

function toTerm(word: string): string {
  const term = /^[a-z]+$/.test(word) ? toStem(word) : word;
  return term.length <= MAX_TERM_LENGTH
    ? term.toWellFormed()
    : term.slice(0, MAX_TERM_LENGTH).toWellFormed();
}

const MIN_STEM_LENGTH = 5;

/** The stemmer turns `deploy` into `deploi` but `deployment` into `deploy`; both must give the same term. */
function toStem(word: string): string {
  const stem = stemmer(BASE_FORMS.get(word) ?? word);
  const hasFinalY = stem.length >= MIN_STEM_LENGTH && stem.endsWith("y");
  return hasFinalY ? `${stem.slice(0, -1)}i` : stem;
}

/** The parts of an identifier: `parseTopicHeader`, `snake_case`, `src/node/disk.ts`, `HTTPServer2`. */
export interface SplitIdentifier {
  readonly parts: readonly string[];
  /** All parts as one word, if there are several, so that the identifier is found however it is spelled. */
  readonly whole: string | undefined;
}

const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{L}\p{M}]+?(?=\p{Lu}|[^\p{L}\p{M}]|$)|\p{N}+/gu;
const APOSTROPHE = /['’]/;

export function splitIdentifier(token: string): SplitIdentifier {
  const parts = (token.match(PARTS) ?? []).map((part) => part.toLowerCase());
  if (parts.length < 2 || APOSTROPHE.test(token)) return { parts, whole: undefined };
  const isNumber = parts.every((part) => /^\p{N}/u.test(part));
  return { parts, whole: parts.join(isNumber ? "." : "") };
}
