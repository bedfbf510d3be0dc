import type { LineRange } from "./command-input.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";

const MAX_LINES = 999_999;
const NUMBER_WIDTH = 6;
const CONTEXT_LINES = 3;

/** Splits a text into lines. A final line end does not start another line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Renders a file, or a range of its lines, with line numbers. */
export function numberedFile(path: string, text: string, range: LineRange | undefined): string {
  const lines = linesOf(text);
  if (lines.length > MAX_LINES) {
    throw new MemoryCommandError(
      `File ${quoteLine(path)} exceeds maximum line limit of 999,999 lines.`,
    );
  }
  const [first, last] = range === undefined ? [1, lines.length] : clampRange(range, lines.length);
  return `Here's the content of ${path} with line numbers:\n${numbered(lines, first, last)}`;
}

/** Renders the changed lines with a few lines of context. */
export function changedLines(text: string, firstLine: number, changed: number): string {
  const lines = linesOf(text);
  const last = Math.min(lines.length, firstLine + Math.max(changed, 1) - 1 + CONTEXT_LINES);
  return numbered(lines, Math.max(1, firstLine - CONTEXT_LINES), last);
}

function clampRange([first, last]: LineRange, count: number): LineRange {
  const end = last === -1 ? count : Math.min(last, count);
  if (first >= 1 && first <= count && end >= first) return [first, end];
  const problem = `Invalid \`view_range\` parameter: [${first}, ${last}]. The first line must be within [1, ${count}], and the last line must not be before it, or be -1 for the end`;
  throw new MemoryCommandError(`Error: ${problem}`);
}

function numbered(lines: readonly string[], first: number, last: number): string {
  return lines
    .slice(first - 1, last)
    .map((line, at) => `${String(first + at).padStart(NUMBER_WIDTH)}\t${line}`)
    .join("\n");
}
