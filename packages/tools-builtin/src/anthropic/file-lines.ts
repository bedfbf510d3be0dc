import type { LineRange } from "./command-input.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";

const MOST_LINES = 999_999;
const NUMBER_WIDTH = 6;
const LINES_AROUND = 3;

/** The lines of a file. What ends the last one begins no other. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** A whole file, or the lines of it that were asked for, as the tool shows them. */
export function numberedFile(path: string, text: string, range: LineRange | undefined): string {
  const lines = linesOf(text);
  if (lines.length > MOST_LINES) {
    throw new MemoryCommandError(
      `File ${quoteLine(path)} exceeds maximum line limit of 999,999 lines.`,
    );
  }
  const [first, last] = range === undefined ? [1, lines.length] : within(range, lines.length);
  return `Here's the content of ${path} with line numbers:\n${numbered(lines, first, last)}`;
}

/** The lines that were changed, and a few around them. */
export function changedLines(text: string, firstLine: number, changed: number): string {
  const lines = linesOf(text);
  const last = Math.min(lines.length, firstLine + Math.max(changed, 1) - 1 + LINES_AROUND);
  return numbered(lines, Math.max(1, firstLine - LINES_AROUND), last);
}

function within([first, last]: LineRange, count: number): LineRange {
  const end = last === -1 ? count : Math.min(last, count);
  if (first >= 1 && first <= count && end >= first) return [first, end];
  const problem = `Invalid \`view_range\` parameter: [${first}, ${last}]. Its first line should be within [1, ${count}], and its last line not before it, or -1 for the end`;
  throw new MemoryCommandError(`Error: ${problem}`);
}

function numbered(lines: readonly string[], first: number, last: number): string {
  return lines
    .slice(first - 1, last)
    .map((line, at) => `${String(first + at).padStart(NUMBER_WIDTH)}\t${line}`)
    .join("\n");
}
