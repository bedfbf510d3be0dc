import { analyzeToken } from "../search/analyzer/analyze-token.ts";
import { foldText } from "../search/analyzer/fold-text.ts";
import { scanTokens } from "../search/analyzer/scan-tokens.ts";
import { unitsOf } from "../search/analyzer/text-units.ts";
import { isSignificant } from "../search/recall/common-words.ts";
import { clausesOf } from "./clauses.ts";
import { isFillerTerm, sameTerm } from "./word-lists.ts";

/**
 * A statement reduced to what two wordings of it share. A term that is negated starts with a minus. The terms may be
 * replaced by hashes: they are only compared.
 */
export interface StatementTerms {
  /** The whole statement, without case, punctuation and introduction. */
  readonly exact: string;
  /** Terms that say what it is about. */
  readonly strong: readonly string[];
  /** Words that occur in many statements. */
  readonly weak: readonly string[];
  /** What it sets itself apart from: "…, not npm". */
  readonly contrast: readonly string[];
  readonly numbers: readonly string[];
  /** Words that turn a statement around: before and after. */
  readonly relations: readonly string[];
}

/** The terms of a statement, and each term with the opposite sign. */
export interface AnalyzedStatement extends StatementTerms {
  readonly opposites: readonly string[];
}

const INTRODUCTION =
  /^(?:(?:please|ok(?:ay)?|so|and|also|well|yes|note|important|btw|by the way|hey|hi)\b[\s,.:!–-]*)*(?:(?:please\s+)?(?:remember|note|keep in mind|bear in mind|don'?t forget|do not forget|make sure|be sure|ensure|save|memorize)\b(?:\s+(?:that|to))?[\s,:]*)?/iu;
/** Longer texts are data. */
const MAX_CHARS = 2_000;
const DATE = /\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?\b/g;
const NUMBER = /\d+(?:[.,]\d+)*/g;
const THOUSANDS = /,(?=\d{3}(?:\D|$))/g;
const RELATION = /\b(?:before|after|until|during|above|below|off)\b/gi;

const NUMBER_WORDS: Readonly<Record<string, string>> = {
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  ten: "10",
  twelve: "12",
  twenty: "20",
  thirty: "30",
  hundred: "100",
};
const NUMBER_WORD = new RegExp(`\\b(?:${Object.keys(NUMBER_WORDS).join("|")})\\b`, "gi");

/** Analyzes a statement. Two wordings of one statement have mostly the same terms. */
export function analyzeStatement(statement: string): AnalyzedStatement {
  const plain = foldText(statement.slice(0, MAX_CHARS))
    .replaceAll(/[’‘]/g, "'")
    .replace(INTRODUCTION, "");
  const text = plain
    .replaceAll(DATE, " ")
    .replaceAll(NUMBER_WORD, (word) => NUMBER_WORDS[word.toLowerCase()] ?? word);
  const terms = new Set(
    clausesOf(text).flatMap(({ text: clause, isNegative }) =>
      termsIn(clause).map((term) => (isNegative ? `-${term}` : term)),
    ),
  );
  const { own, contrast } = splitBySign([...terms]);
  const strong = own.filter((term) => isSignificant(bare(term)));
  const weak = own.filter((term) => !isSignificant(bare(term)));
  return {
    exact: exactText(plain),
    // If it has only common words, they are what it is about.
    strong: strong.length === 0 ? weak : strong,
    weak: strong.length === 0 ? [] : weak,
    contrast,
    numbers: [...new Set(Array.from(text.matchAll(NUMBER), ([number]) => plainNumber(number)))],
    relations: [...new Set(Array.from(text.matchAll(RELATION), ([word]) => word.toLowerCase()))],
    opposites: [...terms].map((term) => (term.startsWith("-") ? term.slice(1) : `-${term}`)),
  };
}

/** Case, spaces and punctuation do not count. */
function exactText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Next to something positive, what is negated only sets it apart. */
function splitBySign(terms: readonly string[]): {
  readonly own: readonly string[];
  readonly contrast: readonly string[];
} {
  const positive = terms.filter((term) => !term.startsWith("-"));
  if (positive.length === 0) return { own: terms, contrast: [] };
  return { own: positive, contrast: terms.filter((term) => term.startsWith("-")) };
}

function bare(term: string): string {
  return term.startsWith("-") ? term.slice(1) : term;
}

function plainNumber(number: string): string {
  return number.replaceAll(THOUSANDS, "").replaceAll(",", ".");
}

/** The stems of a clause without numbers; fillers count only if there is nothing else. */
function termsIn(clause: string): readonly string[] {
  const text = clause.replaceAll(NUMBER, " ");
  const all: string[] = [];
  scanTokens(unitsOf(text), {
    onToken: (from, to) => {
      const token = text.slice(from, to);
      const { terms, whole } = analyzeToken(token);
      all.push(...terms.map(sameTerm));
      // Two paths may have the same parts in another order.
      if (whole !== undefined && /[/.]/.test(token)) all.push(whole);
    },
    onCjkRun: (from, to) => {
      const characters = Array.from(text.slice(from, to));
      all.push(...(characters.length === 1 ? characters : pairsOf(characters)));
    },
  });
  return all.filter((term) => term !== "" && !isFillerTerm(term));
}

function pairsOf(characters: readonly string[]): readonly string[] {
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}
