import { type AddedBlock, type Digest, type EditRecord, hasWords, linesOf } from "./hand-edits.ts";

const KEPT_HEADING = "## Kept by hand";

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
  if (heading !== -1) return put(lines, heading + 1, { ...block, hasBlankAbove: true });
  trimEnd(lines);
  if (!lines.includes(KEPT_HEADING))
    lines.push(...(lines.length === 0 ? [] : [""]), KEPT_HEADING, "");
  const end = endOfSection(lines, lines.indexOf(KEPT_HEADING));
  put(lines, end, { ...block, hasBlankBelow: end < lines.length });
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

/** Behind the last line with text before the next heading. */
function endOfSection(lines: readonly string[], heading: number): number {
  const next = lines.findIndex((line, index) => index > heading && /^#{1,2}\s/.test(line));
  let end = next === -1 ? lines.length : next;
  while (end > heading + 2 && lines[end - 1]?.trim() === "") end -= 1;
  return end;
}

function trimEnd(lines: string[]): void {
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
}

function ended(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" ? "" : `${trimmed}\n`;
}
