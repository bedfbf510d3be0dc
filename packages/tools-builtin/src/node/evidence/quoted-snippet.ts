const MAX_SNIPPET_CHARACTERS = 200;
/** A longer line is generated, and its parts say little. */
const MAX_LINE_CHARACTERS = 2_000;
/** A text that names a file may quote less of it. */
const MIN_SCORE_NAMED = 2;
const MIN_SCORE = 12;

/**
 * The line of a file that a text quotes most of: its identifiers, values and code spans. `undefined` if it quotes nothing
 * in particular. The result is part of the file, character by character.
 */
export function quotedSnippet(
  text: string,
  { path, content }: { readonly path: string; readonly content: string },
): string | undefined {
  const quotes = quotesIn(text);
  const isNamed = namesFile(text, path);
  let best: QuotedLine | undefined;
  for (const line of quotes.length === 0 ? [] : content.split(/\r?\n/)) {
    const found =
      line.length > MAX_LINE_CHARACTERS ? undefined : quotedLine({ line, quotes, isNamed });
    if (found !== undefined && found.score > (best?.score ?? 0)) best = found;
  }
  return best && cut(best.line, best.at);
}

interface QuotedLine {
  readonly line: string;
  readonly score: number;
  /** Where the first quote starts. */
  readonly at: number;
}

/** `undefined` if the text quotes too little of a line. */
function quotedLine({ line, quotes, isNamed }: LineToQuote): QuotedLine | undefined {
  const found = longest(quotes.filter((quote) => containsWhole(line, quote)));
  // One identifier alone is in every file that uses it.
  const isDistinct = found.length > 1 || found.some((quote) => /[^\w.$-]/.test(quote));
  const score = found.reduce((sum, quote) => sum + quote.length, 0);
  if (score < (isNamed ? MIN_SCORE_NAMED : MIN_SCORE) || !(isNamed || isDistinct)) return undefined;
  return { line, score, at: Math.min(...found.map((quote) => line.indexOf(quote))) };
}

interface LineToQuote {
  readonly line: string;
  readonly quotes: readonly string[];
  /** Whether the text names the file. */
  readonly isNamed: boolean;
}

/** The quotes that are not part of another one. */
function longest(quotes: readonly string[]): readonly string[] {
  return quotes.filter(
    (quote) => !quotes.some((other) => other !== quote && other.includes(quote)),
  );
}

function cut(line: string, at: number): string | undefined {
  const whole = line.trim();
  const short =
    Array.from(whole).length <= MAX_SNIPPET_CHARACTERS
      ? whole
      : Array.from(line.slice(at)).slice(0, MAX_SNIPPET_CHARACTERS).join("").trim();
  return /[\p{Cc}\u2028\u2029\uFFFD]/u.test(short.replaceAll("\t", "")) ? undefined : short;
}

function namesFile(text: string, path: string): boolean {
  const name = path.split("/").at(-1) ?? path;
  return containsWhole(text, path) || (name.length > 3 && containsWhole(text, name));
}

const CODE = /`([^`\n]{2,120})`|"([^"\n]{2,120})"/g;
// With a capital inside, an underscore, a dot, a hyphen between digits or a digit: not an ordinary word.
const IDENTIFIER = /(?:[A-Za-z_$][\w$]*(?:[.:-][\w$]+)*|\d[\d_.,]*\d|\d+)(?:ms|s|mb|kb|%)?/gi;
const DISTINCT = /[a-z][A-Z]|[_$\d]|\w[.:]\w|[A-Z]{3}/;

/** The parts of a text that may be literal parts of a file, each once. */
function quotesIn(text: string): readonly string[] {
  const spans = [...text.matchAll(CODE)].map(([, code, quoted]) => (code ?? quoted ?? "").trim());
  const words = [...text.matchAll(IDENTIFIER)]
    .map(([word]) => word)
    .filter((word) => DISTINCT.test(word));
  return [...new Set([...spans, ...words])].filter((quote) => quote.length > 1);
}

function containsWhole(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const [before = " ", after = " "] = [text[at - 1], text[at + part.length]];
    const isWhole =
      !(/\w/.test(before) && /^\w/.test(part)) && !(/\w/.test(after) && /\w$/.test(part));
    if (isWhole) return true;
  }
  return false;
}
