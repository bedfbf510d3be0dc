/** Typical differences between old_string and the file, and how to ignore each of them. */
const DIFFERENCES: readonly (readonly [name: string, normalize: (line: string) => string])[] = [
  ["indentation", (line) => line.trimStart()],
  ["trailing spaces", (line) => line.trimEnd()],
  ["spaces", (line) => line.replace(/\s+/g, " ").trim()],
  ["quotes", (line) => line.replace(/[“”„«»]/g, '"').replace(/[‘’‚]/g, "'")],
  ["letter case", (line) => line.toLowerCase()],
];

const MAX_LINES = 20_000;
/** A longer text is only searched for by its longest line. */
const MAX_WANTED_LINES = 200;
const MAX_COMPARED_CHARACTERS = 400;
const MAX_SHOWN_LINES = 20;
const CONTEXT_LINES = 2;
/** Lines that share fewer words are not similar. */
const MIN_SIMILARITY = 0.4;

/** Explains why a text was not found: shows the most similar lines and how they differ. */
export function explainMiss(text: string, oldText: string): string {
  const lines = text.split("\n", MAX_LINES).map((line) => line.replace(/\r$/, ""));
  const wanted = linesOf(oldText);
  const numbered = withoutNumbers(wanted);
  if (numbered !== undefined && findBlock(lines, numbered, unchanged) !== undefined) {
    return "It starts with the line numbers that Read shows. Remove them.";
  }
  for (const [name, normalize] of DIFFERENCES) {
    const at = findBlock(lines, wanted, normalize);
    if (at !== undefined) return describeDifference(name, { lines, at, count: wanted.length });
  }
  const at = findBlock(lines, wanted, normalizeAll);
  if (at !== undefined)
    return describeDifference("spaces, quotes or case", { lines, at, count: wanted.length });
  return describeSimilarLines(lines, wanted);
}

interface LineBlock {
  readonly lines: readonly string[];
  /** From 0. */
  readonly at: number;
  readonly count: number;
}

function describeDifference(name: string, block: LineBlock): string {
  const first = block.at + 1;
  const where = block.count === 1 ? `Line ${first} differs` : `The lines from ${first} on differ`;
  return `${where} only in ${name}. The exact text is:\n${renderBlock(block)}`;
}

function describeSimilarLines(lines: readonly string[], wanted: readonly string[]): string {
  const key = wanted.reduce((best, line) => (line.length > best.length ? line : best), "");
  const words = tokenize(key);
  let best = { at: -1, similarity: MIN_SIMILARITY };
  for (const [at, line] of lines.entries()) {
    const similarity = similarityOf(words, tokenize(line));
    if (similarity > best.similarity) best = { at, similarity };
  }
  if (best.at === -1) return "Nothing in the file is similar. Read the file again.";
  const at = Math.max(0, best.at - CONTEXT_LINES);
  const near = renderBlock({ lines, at, count: best.at + CONTEXT_LINES + 1 - at });
  return `The most similar lines are:\n${near}`;
}

/** Finds the first position where all lines are equal after normalization. */
function findBlock(
  lines: readonly string[],
  wanted: readonly string[],
  normalize: (line: string) => string,
): number | undefined {
  if (wanted.length > MAX_WANTED_LINES) return undefined;
  const normalized = wanted.map((line) => normalize(truncate(line)));
  if (normalized.every((line) => line.trim() === "")) return undefined;
  // Compares numbers instead of lines, because equal long lines would be compared again and again.
  const numbers = new Map(normalized.map((line, index) => [line, index]));
  const wantedNumbers = normalized.map((line) => numbers.get(line));
  const lineNumbers = lines.map((line) => numbers.get(normalize(truncate(line))));
  const at = lineNumbers.findIndex((_, start) =>
    wantedNumbers.every((number, index) => lineNumbers[start + index] === number),
  );
  return at === -1 ? undefined : at;
}

function withoutNumbers(lines: readonly string[]): readonly string[] | undefined {
  const pattern = /^\s*\d+(?:\t|→)/;
  if (!lines.every((line) => pattern.test(line))) return undefined;
  return lines.map((line) => line.replace(pattern, ""));
}

/** A final line end does not start another line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function normalizeAll(line: string): string {
  return DIFFERENCES.reduce((text, [, normalize]) => normalize(text), line);
}

function unchanged(line: string): string {
  return line;
}

/** Long lines are compared by their start: explaining a miss must not take longer than the edit. */
function truncate(line: string): string {
  return line.length > MAX_COMPARED_CHARACTERS ? line.slice(0, MAX_COMPARED_CHARACTERS) : line;
}

function tokenize(line: string): ReadonlySet<string> {
  return new Set(
    truncate(line)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu),
  );
}

function similarityOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((word) => b.has(word)).length;
  return (2 * common) / (a.size + b.size);
}

function renderBlock({ lines, at, count }: LineBlock): string {
  return lines
    .slice(at, at + Math.min(count, MAX_SHOWN_LINES))
    .map((line, index) => `${at + index + 1}\t${truncate(line)}`)
    .join("\n");
}
