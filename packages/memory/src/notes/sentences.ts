/** A sentence of prose, by its position in the text. */
export interface Sentence {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Whether it is an item of a list. */
  readonly isItem: boolean;
}

const FENCE = /^\s{0,3}(?:```|~~~)/;
const LIST_MARK = /^\s{0,8}(?:[-*+•]|\d{1,2}[.)]|\(?[a-dA-D][.)])\s+/;
/** A quotation, a heading, indented code, a shell prompt or a table. */
const NOT_PROSE = /^(?:\s{0,3}>|\s{0,3}#{1,6}\s|\t| {4}|\s{0,3}[$%❯]\s|\s{0,3}\|)/;
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|at \S+ \(|at \S+:\d+:\d+|Traceback \(|File "|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|FAIL|PASS)\b[\]:\s]|npm (?:ERR|WARN)|\w*(?:Error|Exception): |[+-]{3} |@@ )/;
const MIN_LETTER_SHARE = 0.6;
/** A line of this length may have been wrapped, so that it continues on the next. */
const WRAPPED_LINE = 60;
const MAX_SENTENCES = 80;
const SENTENCE_END = /[.!?…]["')\]]*(?=\s|$)|[。！？]/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|z\.B|bzw|p\.ex)\.$/i;

/** The sentences of a text, without code, quotations, headings, tables and logs. */
export function splitSentences(text: string): readonly Sentence[] {
  const found: Sentence[] = [];
  let continues = false;
  for (const { start, line } of proseLines(text)) {
    if (line === undefined) {
      continues = false;
      continue;
    }
    const mark = LIST_MARK.exec(line)?.[0].length ?? 0;
    const before = mark === 0 && continues ? found.pop() : undefined;
    const pieces = splitLine(line, mark).map(([from, to]) => ({
      from: start + from,
      to: start + to,
    }));
    for (const [index, piece] of pieces.entries()) {
      const { from, isItem } = (index === 0 ? before : undefined) ?? { ...piece, isItem: mark > 0 };
      found.push({ from, to: piece.to, text: text.slice(from, piece.to), isItem });
    }
    continues = line.length >= WRAPPED_LINE && !/[.!?:;…]["')\]]*\s*$/u.test(line);
    if (found.length >= MAX_SENTENCES) break;
  }
  return found.slice(0, MAX_SENTENCES);
}

interface ProseLine {
  readonly start: number;
  /** `undefined` for anything but prose. */
  readonly line: string | undefined;
}

function proseLines(text: string): readonly ProseLine[] {
  let isFenced = false;
  let at = 0;
  return text.split("\n").map((line) => {
    const start = at;
    at += line.length + 1;
    const isFence = FENCE.test(line);
    if (isFence) isFenced = !isFenced;
    return { start, line: isFence || isFenced || !isProse(line) ? undefined : line };
  });
}

/** The start and end of each sentence of a line. */
function splitLine(line: string, from: number): readonly (readonly [number, number])[] {
  const pieces: [number, number][] = [];
  let start = from;
  const push = (end: number): void => {
    const piece = line.slice(start, end);
    const trimmed = piece.trim();
    if (trimmed !== "") {
      const begin = start + piece.indexOf(trimmed);
      pieces.push([begin, begin + trimmed.length]);
    }
    start = end;
  };
  for (const { index, 0: end } of line.slice(0, 4_000).matchAll(SENTENCE_END)) {
    if (index < from || ABBREVIATION.test(line.slice(Math.max(0, index - 8), index + 1))) continue;
    push(index + end.length);
  }
  push(line.length);
  return pieces;
}

function isProse(line: string): boolean {
  if (line.trim() === "") return false;
  if (NOT_PROSE.test(line) && !LIST_MARK.test(line)) return false;
  return !LOG_LINE.test(line) && isWordy(line);
}

/** Whether a line is mostly letters: logs and code are not. */
function isWordy(line: string): boolean {
  // Backticks mark code within a sentence.
  const plain = line.slice(0, 1_000).replaceAll(/`[^`]{0,200}`/g, "code");
  const letters = plain.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0;
  return letters >= plain.length * MIN_LETTER_SHARE && !/[{};]\s*$/.test(plain);
}
