import { blockStart, fenceMarks, isFenceEnd, lineAt, type Line } from "./lines.ts";

/** A part of a text, from `start` up to but not including `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface CodeRegion extends Range {
  readonly kind: "fenced" | "indented" | "span";
}

/** The parts of a Markdown text that are not prose. */
export interface MarkdownRegions {
  readonly code: readonly CodeRegion[];
  readonly comments: readonly Range[];
  /** The offset of a comment that is never closed. */
  readonly openComment: number | undefined;
}

/** Finds code and comments in one pass, as CommonMark defines them. Lines end with LF. */
export function scanMarkdown(text: string): MarkdownRegions {
  const scan: Scan = { text, code: [], comments: [], openComment: undefined, items: [] };
  let at = 0;
  while (at < text.length) at = scanBlock(scan, at);
  return scan;
}

const AUTOLINK = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>/y;

interface Scan {
  readonly text: string;
  readonly code: CodeRegion[];
  readonly comments: Range[];
  openComment: number | undefined;
  /** Content columns of the open list items, outermost first. */
  items: readonly number[];
}

/** Scans the block at a line start and returns the offset of the next one. */
function scanBlock(scan: Scan, at: number): number {
  const line = lineAt(scan.text, at, scan.items);
  scan.items = line.items;
  const start = blockStart(scan.text, line);
  if (start === "blank") return line.next;
  if (start === "fence") return scanFence(scan, line);
  if (start === "indented") {
    scan.code.push({ kind: "indented", start: line.content, end: line.next });
    return line.next;
  }
  return scanInline(scan, line.content, start === "heading" ? line.next : paragraphEnd(scan, line));
}

function scanFence(scan: Scan, opening: Line): number {
  const marks = fenceMarks(scan.text, opening);
  let end = opening.next;
  while (end < scan.text.length) {
    const line = lineAt(scan.text, end, opening.items);
    const isOutside =
      line.depth < opening.depth || (!line.isBlank && line.items.length < opening.items.length);
    if (isOutside) break;
    end = line.next;
    if (isFenceEnd(scan.text, marks, line)) break;
  }
  scan.code.push({ kind: "fenced", start: opening.content, end });
  return end;
}

/** A paragraph continues until a blank line or the start of another block. */
function paragraphEnd(scan: Scan, first: Line): number {
  let end = first.next;
  while (end < scan.text.length) {
    const line = lineAt(scan.text, end, first.items);
    const start = blockStart(scan.text, line);
    // An indented line continues the paragraph; a new item or quote ends it.
    const continues =
      (start === "text" || start === "indented") && line.depth <= first.depth && !line.beginsItem;
    if (!continues) break;
    end = line.next;
  }
  return end;
}

/** Finds code spans and comments between two offsets and returns the offset of the next block. */
function scanInline(scan: Scan, from: number, end: number): number {
  const { text } = scan;
  const unclosed = new Set<number>();
  let at = from;
  while (at < end) {
    if (text[at] === "\\") at += 2;
    else if (text[at] === "`") at = scanBackticks(scan, { at, end, unclosed });
    else if (text.startsWith("<!--", at)) at = scanComment(scan, at);
    else if (text[at] === "<") at = autolinkEnd(text, at) ?? at + 1;
    else at += 1;
  }
  return at > end ? at : end;
}

/** A backtick inside `<https://…>` is part of the URL. */
function autolinkEnd(text: string, at: number): number | undefined {
  AUTOLINK.lastIndex = at;
  const [link] = AUTOLINK.exec(text) ?? [];
  return link === undefined ? undefined : at + link.length;
}

function scanBackticks(
  scan: Scan,
  span: { readonly at: number; readonly end: number; readonly unclosed: Set<number> },
): number {
  const { at, end, unclosed } = span;
  const after = runEnd(scan.text, at);
  const length = after - at;
  if (unclosed.has(length)) return after;
  for (let next = scan.text.indexOf("`", after); next !== -1 && next < end;) {
    const nextEnd = runEnd(scan.text, next);
    if (nextEnd - next === length) {
      scan.code.push({ kind: "span", start: at, end: nextEnd });
      return nextEnd;
    }
    next = scan.text.indexOf("`", nextEnd);
  }
  // No run of this length closes in this block, so the next one does not search again.
  unclosed.add(length);
  return after;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (text[end] === "`") end++;
  return end;
}

function scanComment(scan: Scan, at: number): number {
  const end = commentEnd(scan, at);
  if (end === undefined) {
    scan.openComment ??= at;
    return at + "<!--".length;
  }
  scan.comments.push({ start: at, end });
  return end;
}

function commentEnd({ text, openComment }: Scan, at: number): number | undefined {
  const [short] = /^<!---?>/.exec(text.slice(at, at + "<!--->".length)) ?? [];
  if (short !== undefined) return at + short.length;
  // If one comment is never closed, no later one is.
  const close = openComment === undefined ? text.indexOf("-->", at + "<!--".length) : -1;
  return close === -1 ? undefined : close + "-->".length;
}
