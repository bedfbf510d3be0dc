import { isFenceLine, classifyLines } from "../text/markdown-lines.ts";

/** The user's edits to a generated text, across all generations so far. */
export interface EditRecord {
  /** In the order they appear in the text. */
  readonly added: readonly AddedBlock[];
  /** Digests of lines that must not come back. The text of a removed line is not stored. */
  readonly removed: readonly string[];
}

/** Consecutive lines that the user wrote, and the lines around them. */
export interface AddedBlock {
  readonly lines: readonly string[];
  /** The nearest lines with words above and below. */
  readonly above: string | undefined;
  readonly below: string | undefined;
  /** The heading they were under. */
  readonly heading: string | undefined;
  readonly hasBlankAbove: boolean;
  readonly hasBlankBelow: boolean;
}

/** The edits found in one text. */
export interface FoundEdits {
  readonly record: EditRecord;
  /** Lines by the user that exist now, including earlier ones. */
  readonly added: readonly string[];
  /** Lines that were removed since the text was generated. */
  readonly removed: readonly string[];
}

export type Digest = (text: string) => string;

/** The heading for the user's lines that fit nowhere else; it exists only while they do. */
export const KEPT_HEADING = "## Kept by hand";

export const NO_EDITS: EditRecord = { added: [], removed: [] };

/** A text as it was generated, as it is now, and the edits known before. */
export interface EditedText {
  readonly generated: string;
  readonly current: string;
  readonly known: EditRecord;
}

/** Finds the user's edits. A line that only moved, or occurs one time less, is not an edit. */
export function findEdits(
  { generated: made, current: now, known }: EditedText,
  digest: Digest,
): FoundEdits {
  const [before, after] = [linesOf(made), linesOf(now)];
  const [generatedLines, currentLines] = [new Set(before), new Set(after)];
  const isNew = findAddedLines(before, after);
  const isGone = (line: string): boolean => hasContent(line) && !currentLines.has(line);
  const removed = [...generatedLines].filter((line) => isGone(line) && line !== KEPT_HEADING);
  const newBlocks = rangesOf(isNew).map(([from, to]) => after.slice(from, to));
  const blocks = [
    ...known.added.map(({ lines }) => lines.filter((line) => currentLines.has(line))),
    ...newBlocks.filter((lines) =>
      lines.some((line) => hasContent(line) && !generatedLines.has(line)),
    ),
  ];
  const added = inOrder(
    blocks.map(withoutBlankEnds).filter((lines) => lines.some(hasContent)),
    after,
  );
  // A removed line that the user writes again is wanted again.
  const isBack = new Set(after.map(digest));
  const digests = [...known.removed, ...removed.map(digest)].filter((line) => !isBack.has(line));
  return {
    record: { added, removed: [...new Set(digests)] },
    added: [...new Set(added.flatMap(({ lines }) => lines.filter(hasContent)))],
    removed,
  };
}

/** Whether a line has content: fences, rules, brackets and empty lines occur many times and mean nothing alone. */
export function hasContent(line: string): boolean {
  return /[\p{L}\p{N}\p{So}]/u.test(line) && !isFenceLine(line);
}

export function linesOf(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split("\n");
}

function inOrder(
  blocks: readonly (readonly string[])[],
  text: readonly string[],
): readonly AddedBlock[] {
  return blocks
    .map((lines) => ({ lines, at: text.indexOf(lines.find(hasContent) ?? "") }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ lines, at }) => locate(lines, at, text));
}

function locate(lines: readonly string[], at: number, text: readonly string[]): AddedBlock {
  const own = new Set(lines);
  const { isHeading } = classifyLines(text);
  const isOwn = (line: string): boolean => own.has(line) && hasContent(line);
  const from = Math.max(0, at - lines.findIndex(hasContent));
  const last = text.findLastIndex((line, index) => index >= at && isOwn(line));
  const isAnchor = (line: string): boolean => hasContent(line) && !own.has(line);
  const blankAtEnd = lines.length - 1 - lines.findLastIndex(hasContent);
  const to = Math.max(at, last) + blankAtEnd + 1;
  return {
    lines,
    above: text.slice(0, at).findLast(isAnchor),
    below: text.slice(to).find(isAnchor),
    heading: text.slice(0, at).findLast((line, index) => isHeading[index] && !own.has(line)),
    hasBlankAbove: from > 0 && text[from - 1]?.trim() === "",
    hasBlankBelow: text[to]?.trim() === "",
  };
}

/** The half-open ranges in which the flags are set. */
function rangesOf(flags: readonly boolean[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [index, isSet] of flags.entries()) {
    const open = found.at(-1);
    if (!isSet) continue;
    if (open !== undefined && open[1] === index) open[1] = index + 1;
    else found.push([index, index + 1]);
  }
  return found;
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.trim() !== "");
  const to = lines.findLastIndex((line) => line.trim() !== "");
  return from === -1 ? [] : lines.slice(from, to + 1);
}

/** The maximum size of the table below; a text that was rewritten completely needs no comparison. */
const MAX_CELLS = 4_000_000;

/** For every line of `after`, whether it was added since `before`: the fewest lines that explain the difference. */
function findAddedLines(before: readonly string[], after: readonly string[]): readonly boolean[] {
  const head = commonHead(before, after);
  const tail = commonTail(before.slice(head), after.slice(head));
  const [rows, columns] = [before.length - head - tail, after.length - head - tail];
  const added = after.map((_, index) => index >= head && index < after.length - tail);
  if (rows * columns > MAX_CELLS || rows === 0 || columns === 0) return added;
  const kept = keptLines(before.slice(head, head + rows), after.slice(head, head + columns));
  return added.map((isAdded, index) => isAdded && !kept.has(index - head));
}

/** The lines of `after` in the longest common subsequence. */
function keptLines(before: readonly string[], after: readonly string[]): ReadonlySet<number> {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const kept = new Set<number>();
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      kept.add(column);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
}

function commonHead(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((line, index) => line !== other[index]);
  return end === -1 ? Math.min(one.length, other.length) : end;
}

function commonTail(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (
    length < Math.min(one.length, other.length) &&
    one.at(-1 - length) === other.at(-1 - length)
  )
    length += 1;
  return length;
}
