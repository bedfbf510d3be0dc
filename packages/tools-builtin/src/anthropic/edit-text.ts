import { linesOf } from "./file-lines.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { findOccurrences } from "./find-occurrences.ts";

/** A text after an edit, and the edited lines. */
export interface TextEdit {
  readonly text: string;
  readonly firstLine: number;
  readonly lines: number;
}

export interface Replacement {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

/**
 * Replaces a text that must occur exactly once.
 * @throws MemoryCommandError
 */
export function replaceOnce(text: string, { path, oldText, newText }: Replacement): TextEdit {
  if (oldText === "") {
    throw new MemoryCommandError("Error: `old_str` is empty. Pass the text to replace");
  }
  const lineEnd = lineEndOf(text);
  // The model sees lines, but not how they end.
  const [verbatim] = findOccurrences(text, oldText);
  const sought = verbatim === undefined ? withLineEnds(oldText, lineEnd) : oldText;
  const [position, another] = findOccurrences(text, sought);
  if (position === undefined) {
    throw new MemoryCommandError(
      `No replacement was performed, old_str \`${quoteLine(oldText)}\` did not appear verbatim in ${quoteLine(path)}.`,
    );
  }
  if (another !== undefined) {
    throw new MemoryCommandError(
      `No replacement was performed. Multiple occurrences of old_str \`${quoteLine(oldText)}\` in lines: ${linesWith(text, sought)}. Please ensure it is unique`,
    );
  }
  const put = withLineEnds(newText, lineEnd);
  return {
    text: `${text.slice(0, position)}${put}${text.slice(position + sought.length)}`,
    firstLine: text.slice(0, position).split("\n").length,
    lines: put.split("\n").length,
  };
}

/**
 * Inserts lines after a line. Line 0 is the beginning.
 * @throws MemoryCommandError
 */
export function insertAfter(text: string, line: number, inserted: string): TextEdit {
  const count = linesOf(text).length;
  if (line < 0 || line > count) {
    const problem = `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${count}]`;
    throw new MemoryCommandError(`Error: ${problem}`);
  }
  const lineEnd = lineEndOf(text);
  const parts = text.split("\n");
  const put = withLineEnds(inserted.replace(/\r?\n$/, ""), lineEnd);
  const before = parts.slice(0, line).join("\n");
  const after = parts.slice(line).join("\n");
  // A last line without a line end needs one before another line can follow.
  const isEnded = line === 0 || line < parts.length;
  const start = line === 0 ? "" : `${before}${isEnded ? "\n" : lineEnd}`;
  return {
    text: `${start}${put}${isEnded ? `${lineEnd}${after}` : ""}`,
    firstLine: line + 1,
    lines: put.split("\n").length,
  };
}

/** The line ending of a file. */
function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function withLineEnds(text: string, lineEnd: string): string {
  return lineEnd === "\n" ? text : text.replaceAll(/\r?\n/g, lineEnd);
}

const MAX_LISTED = 20;

/** The lines where a text starts. Overlapping occurrences count, because they are ambiguous too. */
function linesWith(text: string, sought: string): string {
  const lines = new Set<number>();
  let [line, counted] = [1, 0];
  for (const at of findOccurrences(text, sought)) {
    line += text.slice(counted, at).split("\n").length - 1;
    counted = at;
    if (lines.size === MAX_LISTED && !lines.has(line)) return `${[...lines].join(", ")}, …`;
    lines.add(line);
  }
  return [...lines].join(", ");
}
