import { cleanLine } from "../transcript/clean-text.ts";

const FENCE = /^\s{0,3}(?:```|~~~)/;
const LIST_MARK = /^\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s+/;
/** A quotation, a heading, code by its indent, a prompt of a shell. */
const NO_PROSE = /^(?:\s{0,3}>|\s{0,3}#{1,6}\s|\t| {4}|\s{0,3}[$%❯]\s|\s{0,3}\|)/;
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|at \S+ \(|at \S+:\d+:\d+|Traceback \(|File "|\[?(?:ERROR|ERR!|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|FAIL|PASS)\b[\]:\s]|npm (?:ERR|WARN|error|warn)|[+-]{3} |@@ |\w*(?:Error|Exception): )/;
const QUOTATION = /^\s*(?:"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|'[^']*')[.,;!]?\s*$/;
const SENTENCE_END = /(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|cf|z\.B|bzw|p\.ex)\.)\s+/u;
/** From here on a line may be broken by whoever wrote it, and go on in the next. */
const LONG_LINE = 60;
/** A longer text is mostly pasted: what the person says about it stands before or behind. */
const MOST_LINES = 60;
const ENDS = 20;

/** The sentences that a person wrote: without code, quotations, pasted logs, headings and tables. */
export function personSentences(text: string): readonly string[] {
  return paragraphs(proseLines(text)).flatMap((paragraph) =>
    paragraph
      .split(SENTENCE_END)
      .map(cleanLine)
      .filter((sentence) => sentence !== ""),
  );
}

/** Lines of prose; an empty one in place of everything else. */
function proseLines(text: string): readonly string[] {
  let isFenced = false;
  const lines = text.split("\n").map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced || !isProse(line) ? "" : line;
  });
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, ENDS), "", ...lines.slice(-ENDS)];
}

function isProse(line: string): boolean {
  const isBroken = NO_PROSE.test(line) && !LIST_MARK.test(line);
  return !isBroken && !LOG_LINE.test(line) && !QUOTATION.test(line) && isWordy(line);
}

/** Whether a line is mostly letters: logs, paths and code are not. */
function isWordy(line: string): boolean {
  // What stands in backticks is code within a sentence.
  const plain = line.slice(0, 1_000).replaceAll(/`[^`]*`/g, "");
  const letters = plain.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters >= plain.length * 0.7;
}

function paragraphs(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  let goesOn = false;
  for (const line of lines) {
    const text = line.replace(LIST_MARK, "").trim();
    const isNew = !goesOn || LIST_MARK.test(line);
    if (text !== "" && isNew) found.push(text);
    else if (text !== "") found.push(`${found.pop() ?? ""} ${text}`);
    goesOn = line.length >= LONG_LINE && !/[.!?:;…]$/u.test(text);
  }
  return found;
}
