import type { LineRange } from "./command-input.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";

const MAX_LINES = 999_999;
const NUMBER_WIDTH = 6;
const CONTEXT_LINES = 2;

/** Renders a file, or a range of its lines, with line numbers. A range beyond the end has no lines. */
export function numberedFile(path: string, text: string, range: LineRange | undefined): string {
  const lines = text.split("\n");
  if (lines.length > MAX_LINES) {
    throw new MemoryCommandError(
      `File ${quoteLine(path)} has too many lines (${lines.length}). Maximum is 999,999 lines.`,
    );
  }
  const [first, last] = range ?? [1, -1];
  const start = Math.max(1, first);
  const shown = lines.slice(start - 1, last === -1 ? lines.length : last);
  return `Here's the content of ${quoteLine(path)} with line numbers:\n${numbered(shown, start)}`;
}

/** Renders a changed line with a few lines of context. */
export function changedLines(text: string, line: number): string {
  const start = Math.max(1, line - CONTEXT_LINES);
  return numbered(text.split("\n").slice(start - 1, line + CONTEXT_LINES), start);
}

function numbered(lines: readonly string[], start: number): string {
  return lines
    .map((line, at) => `${String(start + at).padStart(NUMBER_WIDTH)}\t${line}`)
    .join("\n");
}
