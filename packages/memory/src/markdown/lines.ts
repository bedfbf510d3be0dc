/** A line without the quotes and list items around it. */
export interface Line {
  /** The offset of its own text, after quote marks, list markers and white space. */
  readonly content: number;
  /** The offset of the next line. */
  readonly next: number;
  /** How many quotes it is in. */
  readonly depth: number;
  /** Columns of white space before its text, within everything around it. */
  readonly indent: number;
  readonly isBlank: boolean;
  /** Content columns of the list items it is in, outermost first. */
  readonly items: readonly number[];
  readonly beginsItem: boolean;
}

export type BlockStart = "blank" | "fence" | "indented" | "heading" | "text";

const TAB_STOP = 4;
const INDENTED = 4;
const MAX_ITEMS = 32;
const LIST_MARKER = /(?:[-+*]|\d{1,9}[.)])(?=[ \t\n]|$)/y;
const RULE = /(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})(?=\n|$)/y;
const HEADING = /#{1,6}(?=[ \t\n]|$)/y;
const FENCE = /(?:`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/y;

/** Parses the line at an offset; `open` are the list items that were open before it. */
export function lineAt(text: string, at: number, open: readonly number[]): Line {
  const newline = text.indexOf("\n", at);
  const next = newline === -1 ? text.length : newline + 1;
  const quotes = takeQuotes(text, at);
  const isBlank = quotes.content >= next || text[quotes.content] === "\n";
  if (isBlank) {
    return { ...quotes, next, indent: 0, isBlank, items: open, beginsItem: false };
  }
  const around = open.filter((column) => column <= quotes.column);
  const base = around.at(-1) ?? 0;
  const inside = takeMarkers(text, { ...quotes, items: around, indent: quotes.column - base });
  return { next, isBlank, depth: quotes.depth, ...inside };
}

/** What kind of block a line begins, or would begin if it did not continue a paragraph. */
export function blockStart(text: string, line: Line): BlockStart {
  // The first line of an item may have nothing but its marker.
  if (line.isBlank || line.content >= line.next || text[line.content] === "\n") return "blank";
  if (line.indent >= INDENTED) return "indented";
  if (matches(FENCE, text, line.content) !== undefined) return "fence";
  const isHeading =
    matches(HEADING, text, line.content) !== undefined ||
    matches(RULE, text, line.content) !== undefined;
  return isHeading ? "heading" : "text";
}

/** The marks that open a fence at the beginning of a line. */
export function fenceMarks(text: string, opening: Line): string {
  return matches(FENCE, text, opening.content) ?? "";
}

/** Whether a line closes a fence that was opened by these marks. */
export function isFenceEnd(text: string, marks: string, line: Line): boolean {
  if (line.isBlank || line.indent >= INDENTED) return false;
  let end = line.content;
  while (text[end] === marks[0]) end++;
  if (end - line.content < marks.length) return false;
  while (text[end] === " " || text[end] === "\t") end++;
  return end >= line.next || text[end] === "\n";
}

interface Taken {
  readonly content: number;
  readonly column: number;
  readonly depth: number;
}

function takeQuotes(text: string, at: number): Taken {
  let [content, column, depth] = [at, 0, 0];
  for (;;) {
    const space = takeSpace(text, content, column);
    if (text[space.content] !== ">" || space.column - column >= INDENTED) {
      return { content: space.content, column: space.column, depth };
    }
    depth++;
    content = space.content + 1;
    column = 0;
    if (text[content] === " " || text[content] === "\t") content++;
  }
}

function takeSpace(
  text: string,
  from: number,
  start: number,
): { readonly content: number; readonly column: number } {
  let [content, column] = [from, start];
  for (; text[content] === " " || text[content] === "\t"; content++) {
    column += text[content] === "\t" ? TAB_STOP - (column % TAB_STOP) : 1;
  }
  return { content, column };
}

interface Inside {
  readonly content: number;
  readonly column: number;
  readonly indent: number;
  readonly items: readonly number[];
}

function takeMarkers(
  text: string,
  start: Inside,
): Pick<Line, "content" | "indent" | "items" | "beginsItem"> {
  let { content, column, indent } = start;
  const items = [...start.items];
  let beginsItem = false;
  for (;;) {
    // Real texts are not nested deeper, and looking for a rule at each of many markers would take quadratic time.
    const mayNest = indent < INDENTED && items.length < MAX_ITEMS;
    const marker = mayNest ? matches(LIST_MARKER, text, content) : undefined;
    if (marker === undefined || matches(RULE, text, content) !== undefined) {
      return { content, indent, items, beginsItem };
    }
    const after = takeSpace(text, content + marker.length, column + marker.length);
    const width = after.column - column - marker.length;
    // Five columns or more count as one, and the rest is indented code inside the item.
    const contentColumn = column + marker.length + (width > INDENTED || width === 0 ? 1 : width);
    items.push(contentColumn);
    indent = Math.max(0, after.column - contentColumn);
    ({ content, column } = after);
    beginsItem = true;
  }
}

function matches(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
