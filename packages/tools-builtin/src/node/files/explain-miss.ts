/** Differences that a text may have from what is there, and what makes them disappear. */
const DIFFERENCES: readonly (readonly [name: string, without: (line: string) => string])[] = [
  ["indentation", (line) => line.trimStart()],
  ["blanks at line ends", (line) => line.trimEnd()],
  ["blanks", (line) => line.replace(/\s+/g, " ").trim()],
  ["quotes", (line) => line.replace(/[“”„«»]/g, '"').replace(/[‘’‚]/g, "'")],
  ["letter case", (line) => line.toLowerCase()],
];

const MOST_LINES = 20_000;
/** Longer texts are only looked for by their longest line. */
const MOST_WANTED_LINES = 200;
const MOST_COMPARED_CHARACTERS = 400;
const MOST_SHOWN_LINES = 20;
const LINES_AROUND = 2;
/** Below this share of common words a line is another line. */
const LEAST_LIKENESS = 0.4;

/** Tells what in a text comes nearest to one that is not in it, and how they differ. */
export function explainMiss(text: string, oldText: string): string {
  const lines = text.split("\n", MOST_LINES).map((line) => line.replace(/\r$/, ""));
  const wanted = linesOf(oldText);
  const numbered = withoutNumbers(wanted);
  if (numbered !== undefined && findBlock(lines, numbered, same) !== undefined) {
    return "It begins with the line numbers that Read shows; leave them out.";
  }
  for (const [name, without] of DIFFERENCES) {
    const at = findBlock(lines, wanted, without);
    if (at !== undefined) return differsIn(name, { lines, at, count: wanted.length });
  }
  const at = findBlock(lines, wanted, plain);
  if (at !== undefined)
    return differsIn("blanks, quotes or case", { lines, at, count: wanted.length });
  return nearestLines(lines, wanted);
}

interface Place {
  readonly lines: readonly string[];
  /** From 0. */
  readonly at: number;
  readonly count: number;
}

function differsIn(name: string, place: Place): string {
  const first = place.at + 1;
  const where = place.count === 1 ? `Line ${first} differs` : `The lines from ${first} on differ`;
  return `${where} from it only in ${name}. Exactly, it is:\n${show(place)}`;
}

function nearestLines(lines: readonly string[], wanted: readonly string[]): string {
  const key = wanted.reduce((best, line) => (line.length > best.length ? line : best), "");
  const words = wordsOf(key);
  let best = { at: -1, likeness: LEAST_LIKENESS };
  for (const [at, line] of lines.entries()) {
    const likeness = likenessOf(words, wordsOf(line));
    if (likeness > best.likeness) best = { at, likeness };
  }
  if (best.at === -1) return "Nothing in the file is like it. Read it again.";
  const at = Math.max(0, best.at - LINES_AROUND);
  const near = show({ lines, at, count: best.at + LINES_AROUND + 1 - at });
  return `The nearest lines are:\n${near}`;
}

/** The first place where all lines are the same once they are made plain. */
function findBlock(
  lines: readonly string[],
  wanted: readonly string[],
  without: (line: string) => string,
): number | undefined {
  if (wanted.length > MOST_WANTED_LINES) return undefined;
  const plainWanted = wanted.map((line) => without(cut(line)));
  if (plainWanted.every((line) => line.trim() === "")) return undefined;
  // Numbers for lines: long ones that are the same would be compared again and again.
  const numbers = new Map(plainWanted.map((line, index) => [line, index]));
  const wantedNumbers = plainWanted.map((line) => numbers.get(line));
  const lineNumbers = lines.map((line) => numbers.get(without(cut(line))));
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

/** A line end behind the last line begins no other one. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function plain(line: string): string {
  return DIFFERENCES.reduce((text, [, without]) => without(text), line);
}

function same(line: string): string {
  return line;
}

/** Long lines are compared by their beginnings: a miss must not take longer than the edit would have. */
function cut(line: string): string {
  return line.length > MOST_COMPARED_CHARACTERS ? line.slice(0, MOST_COMPARED_CHARACTERS) : line;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(
    cut(line)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu),
  );
}

function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((word) => b.has(word)).length;
  return (2 * common) / (a.size + b.size);
}

function show({ lines, at, count }: Place): string {
  return lines
    .slice(at, at + Math.min(count, MOST_SHOWN_LINES))
    .map((line, index) => `${at + index + 1}\t${cut(line)}`)
    .join("\n");
}
