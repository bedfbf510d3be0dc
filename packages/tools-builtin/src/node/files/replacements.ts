/** One place of a text and what comes to stand there. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is to be replaced by what. */
export interface TextReplacement {
  readonly oldText: string;
  readonly newText: string;
  readonly isEverywhere: boolean;
}

/** More places than this are no edit any more; one more of them is still found. */
export const MAX_REPLACEMENTS = 100_000;

/** Where the old text stands, in order, and what replaces it there; empty when it stands nowhere. */
export function findReplacements(text: string, edit: TextReplacement): readonly Replacement[] {
  const isWindows = text.includes("\r\n");
  // Lines are shown to a model without the character that Windows has before their ends.
  const variants = isWindows ? [edit.oldText, withWindowsEnds(edit.oldText)] : [edit.oldText];
  for (const oldText of new Set(variants)) {
    const starts = startsOf(text, oldText, edit.isEverywhere);
    if (starts.length === 0) continue;
    const isAllWindows = isWindows && !/(?:^|[^\r])\n/.test(text);
    const ends = isAllWindows || oldText.includes("\r\n");
    const newText = ends ? withWindowsEnds(edit.newText) : edit.newText;
    return starts.map((start) => ({ start, end: start + oldText.length, text: newText }));
  }
  return [];
}

/** The text with each place replaced; they are in order and apart from each other. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const replacement of replacements) {
    parts.push(text.slice(from, replacement.start), replacement.text);
    from = replacement.end;
  }
  return parts.join("") + text.slice(from);
}

/** Tells the number of the line that a place is in, from 1, for places in order. */
export function createLineCounter(text: string): (place: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (place) => {
    for (; next !== -1 && next < place; next = text.indexOf("\n", next + 1)) line += 1;
    return line;
  };
}

/** Places may overlap when one of them is looked for: `aa` stands twice in `aaa`. */
function startsOf(text: string, oldText: string, isEverywhere: boolean): readonly number[] {
  const step = isEverywhere ? oldText.length : 1;
  const starts: number[] = [];
  for (let at = text.indexOf(oldText); at !== -1; at = text.indexOf(oldText, at + step)) {
    starts.push(at);
    if (starts.length > MAX_REPLACEMENTS) break;
  }
  return starts;
}

function withWindowsEnds(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}
