import { visibleWidth } from "@earendil-works/pi-tui";
import { anchorOf, findAnchor, type Layout } from "./layout.ts";

/** What the terminal shows of a layout. Rows above the window are in its scrollback and never change. */
export interface Frame {
  readonly layout: Layout;
  readonly columns: number;
  readonly height: number;
  /** The number of lines that have left the window for the scrollback. */
  readonly scrolledCount: number;
  /** The number of lines that something else may have pushed up, which are still above the window. */
  readonly leftCount: number;
  /** The rows of the window, from the first that can still be reached. */
  readonly rows: readonly string[];
  readonly cursor: Cursor;
}

/** A position in the window. */
interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface FrameInput {
  readonly layout: Layout;
  readonly columns: number;
  readonly height: number;
  /** Where the user types, as a line of the layout. */
  readonly typing?: { readonly line: number; readonly column: number } | undefined;
  /** Whether the terminal may have moved rows since the last frame, because its size changed. */
  readonly wasResized?: boolean;
  /** Whether lines that changed in the scrollback are printed again. */
  readonly reprints?: boolean;
}

/** What to write to the terminal, and what it shows then. */
export interface Drawing {
  readonly output: string;
  readonly frame: Frame;
}

const NO_LAYOUT: Layout = { lines: [], stableCount: 0, itemStarts: [], transcriptCount: 0 };
const NO_CURSOR: Cursor = { row: 0, column: 0 };

/** A window in which nothing is drawn; lines that were scrolled away before are not drawn again. */
export function emptyFrame(previous: Partial<Frame> = {}): Frame {
  const { layout = NO_LAYOUT, scrolledCount = 0, columns = 0, height = 0 } = previous;
  const { leftCount = 0 } = previous;
  return { layout, scrolledCount, leftCount, columns, height, rows: [], cursor: NO_CURSOR };
}

/** Leaves the first lines of a frame on the terminal, and erases everything below them. */
export function eraseBelow({ layout, rows, cursor }: Frame, lineCount: number): string {
  const row = Math.max(0, rows.length - (layout.lines.length - lineCount));
  return `${verticalMove(cursor.row, row)}\r\u001B[J`;
}

/** Fewer visible lines than this look like an empty screen. */
const MIN_VISIBLE_LINES = 8;

/**
 * Draws the next frame over the last one. All movements are relative to the cursor, because the terminal alone knows
 * where the window is. Lines scroll away only when they are final, so that the scrollback shows each of them once, as
 * it was in the end. While more lines than the window holds are not final, the window shows the last of them.
 */
export function drawFrame(previous: Frame, next: FrameInput): Drawing {
  const { layout, height } = next;
  const { lines } = layout;
  const [scrolled, erased] =
    next.wasResized === true ? afterResize(previous, next) : [previous.scrolledCount, undefined];
  const first = firstLine(scrolled, previous, next);
  const scrolledCount = Math.max(first, Math.min(layout.stableCount, lines.length - height));
  const windowTop = Math.max(scrolledCount, lines.length - height);
  const rows = [...lines.slice(first, scrolledCount), ...lines.slice(windowTop)];
  const drawn = erased === undefined ? previous.rows : [];
  const written = writeRows({ drawn, rows, row: erased === undefined ? previous.cursor.row : 0 });
  const visible = rows.slice(-height);
  const hiddenCount = rows.length - visible.length;
  const row = written.row - hiddenCount;
  const cursor = cursorFor(next, windowTop, { row, column: previous.cursor.column });
  const frame = {
    layout,
    columns: next.columns,
    height,
    scrolledCount,
    leftCount: previous.leftCount,
    rows: visible,
    cursor,
  };
  const isSame =
    erased === undefined && written.output === "" && isSamePosition(previous.cursor, cursor);
  if (isSame) return { output: "", frame };
  const toCursor = `${verticalMove(row, cursor.row)}\u001B[${cursor.column + 1}G`;
  return { output: `${erased ?? ""}${written.output}${toCursor}`, frame };
}

function isSamePosition(one: Cursor, other: Cursor): boolean {
  return one.row === other.row && one.column === other.column;
}

/** The first line to draw, where scrolled lines are drawn again: on request, or because too few others are left. */
function firstLine(
  scrolled: number,
  previous: Frame,
  { layout, height, reprints = false }: FrameInput,
): number {
  const { lines } = layout;
  const changed = reprints ? firstDifference(previous.layout.lines, lines) : scrolled;
  const first = Math.min(scrolled, changed);
  const isTooShort =
    first > previous.leftCount && lines.length - first < Math.min(height, MIN_VISIBLE_LINES);
  return isTooShort ? Math.max(0, lines.length - height) : first;
}

function firstDifference(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((line, at) => line !== other[at]);
  return index === -1 ? one.length : index;
}

/**
 * The number of scrolled lines after the terminal changed its size, and how to erase the window. A lower window pushes
 * its upper rows into the scrollback. At another width lines wrap differently, and terminals that reflow them push
 * rows, too: those are drawn again rather than lost.
 */
function afterResize(
  previous: Frame,
  { layout, columns, height }: FrameInput,
): readonly [number, string] {
  const { rows, cursor, scrolledCount } = previous;
  if (previous.columns !== columns) {
    const anchor = anchorOf(scrolledCount, previous.layout);
    const found = Math.min(findAnchor(anchor, layout), layout.stableCount);
    return [found, eraseFrom(Math.min(height - 1, physicalRows(previous, columns)))];
  }
  const pushed = Math.max(0, Math.min(cursor.row, rows.length - height));
  const isScrolled = rows[0] === previous.layout.lines[scrolledCount];
  const scrolled = isScrolled
    ? Math.min(scrolledCount + pushed, Math.max(scrolledCount, layout.stableCount))
    : scrolledCount;
  return [scrolled, eraseFrom(cursor.row - pushed)];
}

/** How many rows are above the cursor once the terminal has wrapped them. */
function physicalRows({ rows, cursor }: Frame, columns: number): number {
  const above = rows
    .slice(0, cursor.row)
    .map((row) => Math.max(1, Math.ceil(visibleWidth(row) / columns)));
  return above.reduce((sum, count) => sum + count, Math.floor(cursor.column / columns));
}

function eraseFrom(rowsAbove: number): string {
  return `${verticalMove(rowsAbove, 0)}\r\u001B[J`;
}

interface WriteInput {
  readonly drawn: readonly string[];
  readonly rows: readonly string[];
  /** The row of the cursor. */
  readonly row: number;
}

/** Writes the rows that differ; rows that do not fit scroll the window. */
function writeRows({ drawn, rows, row }: WriteInput): {
  readonly output: string;
  readonly row: number;
} {
  const parts: string[] = [];
  let current = row;
  const moveTo = (target: number): void => {
    // Only a line feed scrolls, and only it reaches rows that do not exist yet.
    const reachable = Math.min(target, Math.max(0, drawn.length - 1, current));
    parts.push(verticalMove(current, reachable), "\r", "\n".repeat(target - reachable));
    current = target;
  };
  for (const [index, text] of rows.entries()) {
    if (index < drawn.length && drawn[index] === text) continue;
    moveTo(index);
    parts.push(index < drawn.length ? "\u001B[2K" : "", composed(text), RESET);
  }
  if (rows.length < drawn.length) {
    moveTo(rows.length);
    parts.push("\u001B[J");
  }
  // The last row is where the next frame continues, also when only rows above it were written.
  if (rows.length > drawn.length && current < rows.length - 1) moveTo(rows.length - 1);
  return { output: parts.join(""), row: current };
}

const RESET = "\u001B[0m";

/** Terminals disagree about the width of these two letters, but not about the parts that they consist of. */
function composed(text: string): string {
  return text.replaceAll("\u0E33", "\u0E4D\u0E32").replaceAll("\u0EB3", "\u0ECD\u0EB2");
}

function cursorFor({ typing }: FrameInput, windowTop: number, otherwise: Cursor): Cursor {
  if (typing === undefined) return otherwise;
  return { row: Math.max(0, typing.line - windowTop), column: typing.column };
}

function verticalMove(from: number, to: number): string {
  if (from === to) return "";
  return to > from ? `\u001B[${to - from}B` : `\u001B[${from - to}A`;
}
