import type { Match } from "./matches.ts";
import type { CollapsedText } from "./best-snippet.ts";

/** A range of a text, from its first to its last match. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** Limits the number of ties to compare, for texts with matches everywhere. */
const MAX_TIES = 64;
const WEIGHT_SCALE = 1_000;

/** The range of at most `maxLength` units with the highest weight. Terms that are rare in the text weigh more. */
export function bestWindow(
  matches: readonly Match[],
  starts: readonly number[],
  maxLength: number,
): Window | undefined {
  const weights = weigh(matches);
  let best = -1;
  let ties: { readonly first: number; readonly last: number }[] = [];
  slide(matches, weights, {
    maxLength,
    onWindow: (first, last, weight) => {
      if (weight > best) ties = [];
      best = Math.max(best, weight);
      if (weight === best && ties.length < MAX_TIES) ties.push({ first, last });
    },
  });
  const windows = ties.map(({ first, last }) => narrow(matches, first, last));
  const crossedStarts = windows.map(({ start, end }) => countBetween(starts, start, end));
  const fewest = crossedStarts.indexOf(Math.min(...crossedStarts));
  return windows[fewest];
}

/** Integers, so that adding and subtracting has no rounding errors. */
function weigh(matches: readonly Match[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { term } of matches) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map(
    [...counts].map(([term, count]) => [term, Math.round(WEIGHT_SCALE / (1 + Math.log(count)))]),
  );
}

interface Slide {
  readonly maxLength: number;
  readonly onWindow: (first: number, last: number, weight: number) => void;
}

/** Visits the longest window that starts at each match. Each match enters once and leaves once. */
function slide(
  matches: readonly Match[],
  weights: ReadonlyMap<string, number>,
  { maxLength, onWindow }: Slide,
): void {
  const inside = new Map<string, number>();
  let weight = 0;
  let next = 0;
  for (const [first, { start, term }] of matches.entries()) {
    for (let match = matches[next]; match !== undefined; match = matches[next]) {
      if (next > first && match.end - start > maxLength) break;
      const count = inside.get(match.term) ?? 0;
      if (count === 0) weight += weights.get(match.term) ?? 0;
      inside.set(match.term, count + 1);
      next++;
    }
    onWindow(first, next - 1, weight);
    const left = (inside.get(term) ?? 1) - 1;
    if (left === 0) weight -= weights.get(term) ?? 0;
    inside.set(term, left);
  }
}

/** Ends the window at the match that completes its set of terms. */
function narrow(matches: readonly Match[], first: number, last: number): Window {
  const seen = new Set<string>();
  const start = matches[first]?.start ?? 0;
  let end = start;
  for (const match of matches.slice(first, last + 1)) {
    if (!seen.has(match.term)) end = Math.max(end, match.end);
    seen.add(match.term);
  }
  return { start, end };
}

/** How many of the sorted positions are after `start` and before `end`. */
function countBetween(positions: readonly number[], start: number, end: number): number {
  return lastUpTo(positions, end - 1) - lastUpTo(positions, start);
}

/** The index of the last position up to `limit`; -1 if there is none. */
function lastUpTo(positions: readonly number[], limit: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Extends a range to whole lines and sentences if they fit, otherwise to whole words. */
export function widenWindow(
  { text, starts }: CollapsedText,
  core: Window,
  maxLength: number,
): Window {
  const from = starts[lastUpTo(starts, core.start)] ?? 0;
  const isWholeFrom = core.end - from <= maxLength;
  const start = isWholeFrom ? from : wordStart(text, leadIn(core, maxLength), core.start);
  const limit = start + maxLength;
  if (limit >= text.length) return { start, end: text.length };
  const next = starts[lastUpTo(starts, limit + 1)] ?? 0;
  const wholeEnd = text[next - 1] === " " ? next - 1 : next;
  // A heading alone says little: rather show a part of the text below it.
  const isEnough = wholeEnd >= core.end && wholeEnd - start >= maxLength / 2;
  return { start, end: isEnough ? wholeEnd : wordEnd(text, limit, Math.max(start, core.end)) };
}

/** The text before the first match gets a third of the remaining length. */
function leadIn({ start, end }: Window, maxLength: number): number {
  return Math.max(0, start - Math.floor(Math.max(0, maxLength - (end - start)) / 3));
}

function wordStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0;
  const space = text.slice(from - 1, latest).indexOf(" ");
  return wholeCharacter(text, space === -1 ? from : from + space);
}

/** The end of the last whole word; in the middle of a word that fills the whole range. */
function wordEnd(text: string, limit: number, earliest: number): number {
  const space = text.slice(earliest, limit + 1).lastIndexOf(" ");
  return wholeCharacter(text, space === -1 ? limit : earliest + space);
}

/** The position, or the one before it if it would split a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xff_ff ? at - 1 : at;
}
