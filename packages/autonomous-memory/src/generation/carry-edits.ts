import { lineKinds } from "./headings.ts";
import {
  type AddedBlock,
  type Digest,
  type EditRecord,
  hasWords,
  KEPT_HEADING,
  linesOf,
} from "./hand-edits.ts";

export interface CarriedText {
  readonly text: string;
  /** How many lines of a person were missing and were put back. */
  readonly restored: number;
  /** How many lines came back that a person had taken out, and were taken out again. */
  readonly removed: number;
}

/** Puts what people did onto a new text: each of their lines is in it, and no line that they took out. */
export function carryEdits(text: string, record: EditRecord, digest: Digest): CarriedText {
  const gone = new Set(record.removed);
  const answered = linesOf(text);
  const lines = answered.filter((line) => !hasWords(line) || !gone.has(digest(line)));
  const removed = answered.length - lines.length;
  let restored = 0;
  for (const block of record.added) {
    const there = new Set(lines);
    const missing = block.lines.filter((line) => hasWords(line) && !there.has(line));
    if (missing.length === 0) continue;
    restored += missing.length;
    const isWhole = missing.length === block.lines.filter(hasWords).length;
    insert(lines, { ...block, lines: isWhole ? block.lines : missing });
  }
  const isUntouched = removed === 0 && restored === 0;
  return { text: isUntouched ? text : ended(lines.join("\n")), restored, removed };
}

/** Beside an old neighbour, else under the old heading, else in a section of its own at the end. */
function insert(lines: string[], block: AddedBlock): void {
  const above = placeOf(lines, block.above);
  if (above !== -1) return put(lines, above + 1, block);
  const below = placeOf(lines, block.below);
  if (below !== -1) return put(lines, below, block);
  const heading = placeOf(lines, block.heading);
  if (heading !== -1) return putUnder(lines, heading, block);
  trimEnd(lines);
  if (!lines.includes(KEPT_HEADING)) {
    lines.push(...(lines.length === 0 ? [] : [""]), KEPT_HEADING);
  }
  putUnder(lines, lines.indexOf(KEPT_HEADING), block);
}

/** Behind the last line with text before the next heading. */
function putUnder(lines: string[], heading: number, block: AddedBlock): void {
  const { isHeading } = lineKinds(lines);
  const next = isHeading.findIndex((isOne, index) => isOne && index > heading);
  let end = next === -1 ? lines.length : next;
  while (lines[end - 1]?.trim() === "") end -= 1;
  const isFirst = end === heading + 1;
  put(lines, end, {
    ...block,
    hasBlankAbove: block.hasBlankAbove || isFirst,
    hasBlankBelow: next !== -1,
  });
}

function put(lines: string[], at: number, block: AddedBlock): void {
  const isBlank = (index: number): boolean =>
    lines[index] === undefined || lines[index].trim() === "";
  const above = block.hasBlankAbove && !isBlank(at - 1) ? [""] : [];
  const below = block.hasBlankBelow && !isBlank(at) ? [""] : [];
  lines.splice(at, 0, ...above, ...block.lines, ...below);
}

function placeOf(lines: readonly string[], line: string | undefined): number {
  return line === undefined ? -1 : lines.indexOf(line);
}

function trimEnd(lines: string[]): void {
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
}

function ended(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" ? "" : `${trimmed}\n`;
}
