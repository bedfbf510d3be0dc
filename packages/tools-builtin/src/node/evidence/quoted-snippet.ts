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
  if (quotes.length === 0) return undefined;
  const isNamed = namesFile(text, path);
  const minScore = isNamed ? MIN_SCORE_NAMED : MIN_SCORE;
  let best: { readonly line: string; readonly score: number; readonly at: number } | undefined;
  for (const line of content.split(/\r?\n/)) {
    if (line.length > MAX_LINE_CHARACTERS) continue;
    const found = longest(quotes.filter((quote) => containsWhole(line, quote)));
    // One identifier alone is in every file that uses it.
    if (!isNamed && found.length < 2 && !found.some((quote) => /[^\w.$-]/.test(quote))) continue;
    const score = found.reduce((sum, quote) => sum + quote.length, 0);
    if (score < minScore || score <= (best?.score ?? 0)) continue;
    best = { line, score, at: Math.min(...found.map((quote) => line.indexOf(quote))) };
  }
  return best && cut(best.line, best.at);
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
