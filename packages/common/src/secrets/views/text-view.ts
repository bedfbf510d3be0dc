import type { SecretSpan } from "../secret-span.ts";

/** A text as someone or something else reads it, and how its offsets map to the text it was made from. */
export interface TextView {
  readonly text: string;
  /** In the order of the text. */
  readonly edits: readonly Edit[];
}

/** A part of the original that the view shows differently, or not at all. */
interface Edit {
  /** The offset in the view, and the length there. */
  readonly at: number;
  readonly length: number;
  /** The part of the original. */
  readonly start: number;
  readonly end: number;
}

/** A part of a text and what to show instead. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

/** Makes a view from replacements, which are in order and do not overlap. */
export function createView(text: string, replacements: Iterable<Replacement>): TextView {
  const parts: string[] = [];
  const edits: Edit[] = [];
  let kept = 0;
  let removed = 0;
  for (const { start, end, shown } of replacements) {
    parts.push(text.slice(kept, start), shown);
    edits.push({ at: start - removed, length: shown.length, start, end });
    removed += end - start - shown.length;
    kept = end;
  }
  return edits.length === 0 ? { text, edits } : { text: parts.join("") + text.slice(kept), edits };
}

/** Maps spans of the view to the original. A part that the view shows differently is covered whole. */
export function toOriginalSpans(
  { edits }: TextView,
  spans: readonly SecretSpan[],
): readonly SecretSpan[] {
  if (edits.length === 0) return spans;
  return spans.map(({ kind, start, end }) => ({
    kind,
    start: toOriginalOffset({ edits }, start),
    end: originalEnd(edits, end),
  }));
}

/** Maps the offset of a character to the original. */
export function toOriginalOffset({ edits }: Pick<TextView, "edits">, offset: number): number {
  const edit = edits[countBefore(edits, offset + 1) - 1];
  if (edit === undefined) return offset;
  const beyond = offset - edit.at - edit.length;
  return beyond < 0 ? edit.start : edit.end + beyond;
}

/** Whether the view shows a part of the span differently from the original. */
export function isEdited({ edits }: TextView, { start, end }: SecretSpan): boolean {
  const last = edits[countBefore(edits, end) - 1];
  return last !== undefined && last.at + last.length > start;
}

function originalEnd(edits: readonly Edit[], offset: number): number {
  const edit = edits[countBefore(edits, offset) - 1];
  if (edit === undefined) return offset;
  return edit.end + Math.max(0, offset - edit.at - edit.length);
}

/** How many edits begin before an offset. A binary search, because a text may have as many edits as characters. */
function countBefore(edits: readonly Edit[], offset: number): number {
  let first = 0;
  let end = edits.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((edits[middle]?.at ?? 0) < offset) first = middle + 1;
    else end = middle;
  }
  return first;
}
