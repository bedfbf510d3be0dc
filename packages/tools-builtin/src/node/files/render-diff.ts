import { type DiffHunk, diffLines, renderHunk, splitLines } from "@caliban/common";
import { applyReplacements, createLineCounter, type Replacement } from "./replacements.ts";

/** A change, line by line. */
export interface SmallDiff {
  readonly added: number;
  readonly removed: number;
  /** Numbered lines marked `-` and `+`, with a few lines of context. */
  readonly text: string;
}

const CONTEXT_LINES = 2;
const MAX_LINES = 60;

/** Renders the changed lines. Does not look at lines that are far from a change. */
export function renderDiff(text: string, replacements: readonly Replacement[]): SmallDiff {
  return renderHunks(hunksOf(text, replacements));
}

/** Renders the lines that differ between two versions of a file. */
export function renderRewrite(before: string, after: string): SmallDiff {
  return renderHunks(diffLines(splitLines(before), splitLines(after), CONTEXT_LINES));
}

function renderHunks(hunks: readonly DiffHunk[]): SmallDiff {
  const shown: string[] = [];
  let [added, removed] = [0, 0];
  for (const hunk of hunks) {
    added += hunk.after.length;
    removed += hunk.before.length;
    if (shown.length < MAX_LINES) shown.push(...renderHunk(hunk));
  }
  const more = shown.length - MAX_LINES;
  const lines = more > 0 ? [...shown.slice(0, MAX_LINES), `… ${more} more lines`] : shown;
  return { added, removed, text: lines.join("\n") };
}

function hunksOf(text: string, replacements: readonly Replacement[]): readonly DiffHunk[] {
  const lineAt = createLineCounter(text);
  let shift = 0;
  return groupByLines(text, replacements).map((group) => {
    const [start, end] = wholeLines(text, group);
    const old = text.slice(start, end);
    const moved = group.map((one) => ({ ...one, start: one.start - start, end: one.end - start }));
    const { lead, before, after, tail } = splitCommonLines(
      splitLines(old),
      splitLines(applyReplacements(old, moved)),
    );
    const above = splitLines(lastLines(text.slice(0, start)));
    const below = splitLines(firstLines(text.slice(end)));
    const around = [...above, ...lead].slice(-CONTEXT_LINES);
    const line = lineAt(start) + lead.length - around.length + shift;
    shift += after.length - before.length;
    return { line, lead: around, before, after, tail: [...tail, ...below].slice(0, CONTEXT_LINES) };
  });
}

/** Groups replacements that touch the same line. */
function groupByLines(
  text: string,
  replacements: readonly Replacement[],
): readonly (readonly Replacement[])[] {
  const groups: Replacement[][] = [];
  let lineEnd = -1;
  for (const replacement of replacements) {
    const last = groups.at(-1);
    if (last !== undefined && replacement.start <= lineEnd) last.push(replacement);
    else groups.push([replacement]);
    if (replacement.end <= lineEnd) continue;
    const newline = text.indexOf("\n", replacement.end);
    lineEnd = newline === -1 ? text.length : newline;
  }
  return groups;
}

function wholeLines(text: string, group: readonly Replacement[]): readonly [number, number] {
  const start = lineStart(text, group[0]?.start ?? 0);
  const end = group.at(-1)?.end ?? 0;
  // If a line end is removed, the next line is affected too.
  const newline = text.indexOf("\n", Math.max(start, end));
  return [start, newline === -1 ? text.length : newline + 1];
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Lines that both texts share at the start and end are context. */
function splitCommonLines(
  before: readonly string[],
  after: readonly string[],
): Pick<DiffHunk, "lead" | "before" | "after" | "tail"> {
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  return {
    lead: before.slice(0, first),
    before: before.slice(first, before.length - last),
    after: after.slice(first, after.length - last),
    tail: before.slice(before.length - last),
  };
}

function lastLines(text: string): string {
  let start = text.length;
  for (let count = 0; count < CONTEXT_LINES && start > 0; count++) {
    start = lineStart(text, start - 1);
  }
  return text.slice(start);
}

function firstLines(text: string): string {
  let end = 0;
  for (let count = 0; count < CONTEXT_LINES && end < text.length; count++) {
    const newline = text.indexOf("\n", end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return text.slice(0, end);
}
