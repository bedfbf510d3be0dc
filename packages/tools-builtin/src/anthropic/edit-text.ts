import { findOccurrences } from "./find-occurrences.ts";
import { MemoryCommandError, quoteLine } from "./memory-command-error.ts";

/** A text after an edit, and the first edited line. */
export interface TextEdit {
  readonly text: string;
  readonly line: number;
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
    throw new MemoryCommandError("`old_str` is empty. Pass the text to replace");
  }
  const [verbatim] = findOccurrences(text, oldText);
  // A model that quotes several lines does not see how they end.
  const isCrlf = verbatim === undefined && text.includes("\r\n");
  const [sought, put] = isCrlf ? [withCrlf(oldText), withCrlf(newText)] : [oldText, newText];
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
  return {
    text: `${text.slice(0, position)}${put}${text.slice(position + sought.length)}`,
    line: text.slice(0, position).split("\n").length,
  };
}

/**
 * Inserts lines after a line. Line 0 is the beginning; the empty text after a final line end counts as a line.
 * @throws MemoryCommandError
 */
export function insertAfter(text: string, line: number, inserted: string): TextEdit {
  const lines = text.split("\n");
  if (line < 0 || line > lines.length) {
    throw new MemoryCommandError(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    );
  }
  const after = lines.toSpliced(line, 0, inserted.replace(/\n$/, ""));
  return { text: after.join("\n"), line: line + 1 };
}

function withCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n");
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
