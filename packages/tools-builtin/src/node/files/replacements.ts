/** A range of a text and what replaces it. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An old text and the new text that replaces it. */
export interface TextReplacement {
  readonly oldText: string;
  readonly newText: string;
  readonly isEverywhere: boolean;
}

/** The most replacements in one edit. One more is still found, to tell that there are too many. */
export const MAX_REPLACEMENTS = 100_000;

/** Finds the occurrences of the old text, in order. Returns an empty list if there are none. */
export function findReplacements(text: string, edit: TextReplacement): readonly Replacement[] {
  const isWindows = text.includes("\r\n");
  // The model sees lines without the carriage return that Windows puts before their ends.
  const variants = isWindows ? [edit.oldText, withWindowsLineEnds(edit.oldText)] : [edit.oldText];
  for (const oldText of new Set(variants)) {
    const starts = startsOf(text, oldText, edit.isEverywhere);
    if (starts.length === 0) continue;
    const isAllWindows = isWindows && !/(?:^|[^\r])\n/.test(text);
    const usesWindowsEnds = isAllWindows || oldText.includes("\r\n");
    const newText = usesWindowsEnds ? withWindowsLineEnds(edit.newText) : edit.newText;
    return starts.map((start) => ({ start, end: start + oldText.length, text: newText }));
  }
  return [];
}

/** Applies replacements that are in order and do not overlap. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const replacement of replacements) {
    parts.push(text.slice(from, replacement.start), replacement.text);
    from = replacement.end;
  }
  return parts.join("") + text.slice(from);
}

/** Returns a function that gives the line number of an offset, from 1. The offsets must be passed in order. */
export function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf("\n", next + 1)) line += 1;
    return line;
  };
}

/** Occurrences may overlap if only one of them is replaced: `aaa` contains `aa` twice. */
function startsOf(text: string, oldText: string, isEverywhere: boolean): readonly number[] {
  const step = isEverywhere ? oldText.length : 1;
  const starts: number[] = [];
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + step)) {
    starts.push(at);
    if (starts.length > MAX_REPLACEMENTS) break;
  }
  return starts;
}

function withWindowsLineEnds(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}
