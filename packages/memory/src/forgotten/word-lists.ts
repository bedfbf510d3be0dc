import { analyzeToken } from "../search/analyzer/analyze-token.ts";

/** Words that a statement may have or lack without saying something else. */
const FILLERS = `
  use uses using used run runs running prefer prefers want wants need needs require requires make go goes keep call called
  happen happens work works put take employ utilize execute invoke perform do done always usually currently generally
  normally typically project projects repo repository codebase team user users people command commands tool tools thing way
  remember note memory convention rule rules preference decision agreed decided agree decide here like set should must
  ensure sure follow following via instead rather avoid avoids stop never longer switch switched move
  moved forbidden banned disallowed prohibited allowed favor favour choose chose is it app application step process
  wir mit ist sind der die das ein eine einen und bitte immer benutzen verwenden nutzen nous on avec le la les un une et
  utilisons utilise usamos con el los las una y
`;

/** Different words and abbreviations for one thing. The first is used for all. */
const SAME_WORDS: readonly string[] = [
  "database db databases",
  "postgres postgresql pg",
  "directory folder dir",
  "config configuration cfg",
  "environment env",
  "production prod",
  "development dev",
  "documentation docs doc document documents",
  "dependency dep deps dependencies",
  "javascript js",
  "typescript ts",
  "kubernetes k8s",
  "authentication auth",
  "maximum max",
  "minimum min",
  "parameter param params",
  "library lib",
  "package pkg",
  "second sec secs",
  "minute mins",
  "millisecond ms",
];

const fillers: ReadonlySet<string> = new Set(termsOf(FILLERS));
const sameWords: ReadonlyMap<string, string> = new Map(
  SAME_WORDS.flatMap((line) => {
    const terms = termsOf(line);
    const [first = ""] = terms;
    return terms.map((term) => [term, first] as const);
  }),
);

export function isFillerTerm(term: string): boolean {
  return fillers.has(term);
}

/** One term for all words that mean the same. */
export function sameTerm(term: string): string {
  return sameWords.get(term) ?? term;
}

function termsOf(words: string): readonly string[] {
  return words
    .trim()
    .split(/\s+/)
    .flatMap((word) => analyzeToken(word).terms);
}
