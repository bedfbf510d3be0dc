import { classifyLines } from "../text/markdown-lines.ts";
import {
  type AddedBlock,
  type Digest,
  type EditRecord,
  hasContent,
  KEPT_HEADING,
  linesOf,
} from "./find-edits.ts";

export interface CarriedText {
  readonly text: string;
  /** How many of the user's lines were missing and were added again. */
  readonly restored: number;
  /** How many lines that the user had removed were back and were removed again. */
  readonly removed: number;
}

/** Applies hand edits to a new text: it contains every line the user added, and none that the user removed. */
export function carryEdits(text: string, record: EditRecord, digest: Digest): CarriedText {
  const unwanted = new Set(record.removed);
  const answered = linesOf(text);
  const lines = answered.filter((line) => !hasContent(line) || !unwanted.has(digest(line)));
  const removed = answered.length - lines.length;
  let restored = 0;
  for (const block of record.added) {
    const present = new Set(lines);
    const missing = block.lines.filter((line) => hasContent(line) && !present.has(line));
    if (missing.length === 0) continue;
    restored += missing.length;
    const isAllMissing = missing.length === block.lines.filter(hasContent).length;
    insert(lines, { ...block, lines: isAllMissing ? block.lines : missing });
  }
  const isUntouched = removed === 0 && restored === 0;
  return { text: isUntouched ? text : withFinalNewline(lines.join("\n")), restored, removed };
}

/** Next to an old neighbor, otherwise under the old heading, otherwise in a section of their own at the end. */
function insert(lines: string[], block: AddedBlock): void {
  const above = indexOf(lines, block.above);
  if (above !== -1) return put(lines, above + 1, block);
  const below = indexOf(lines, block.below);
  if (below !== -1) return put(lines, below, block);
  const heading = indexOf(lines, block.heading);
  if (heading !== -1) return putUnder(lines, heading, block);
  trimEnd(lines);
  if (!lines.includes(KEPT_HEADING)) {
    lines.push(...(lines.length === 0 ? [] : [""]), KEPT_HEADING);
  }
  putUnder(lines, lines.indexOf(KEPT_HEADING), block);
}

/** After the last line with text before the next heading. */
function putUnder(lines: string[], heading: number, block: AddedBlock): void {
  const { isHeading } = classifyLines(lines);
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

function indexOf(lines: readonly string[], line: string | undefined): number {
  return line === undefined ? -1 : lines.indexOf(line);
}

function trimEnd(lines: string[]): void {
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
}

function withFinalNewline(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" ? "" : `${trimmed}\n`;
}
