import type { Match } from "./matches.ts";
import type { CollapsedText } from "./best-snippet.ts";

/** From the first to the last match of a part of a text. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** Ties are looked at one by one, which a text that is made of matches must not make slow. */
const MOST_TIES = 64;
const WHOLE = 1_000;

/** The part of at most `room` units that holds most of what is looked for; a term counts the more, the rarer it is in the text. */
export function bestWindow(
  matches: readonly Match[],
  starts: readonly number[],
  room: number,
): Window | undefined {
  const weights = weigh(matches);
  let best = -1;
  let ties: { readonly first: number; readonly last: number }[] = [];
  slide(matches, weights, {
    room,
    onWindow: (first, last, weight) => {
      if (weight > best) ties = [];
      best = Math.max(best, weight);
      if (weight === best && ties.length < MOST_TIES) ties.push({ first, last });
    },
  });
  const windows = ties.map(({ first, last }) => narrowed(matches, first, last));
  const broken = windows.map(({ start, end }) => countBetween(starts, start, end));
  const fewest = broken.indexOf(Math.min(...broken));
  return windows[fewest];
}

/** Whole numbers, so that adding and taking away leaves nothing behind. */
function weigh(matches: readonly Match[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { term } of matches) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map(
    [...counts].map(([term, count]) => [term, Math.round(WHOLE / (1 + Math.log(count)))]),
  );
}

interface Slide {
  readonly room: number;
  readonly onWindow: (first: number, last: number, weight: number) => void;
}

/** Goes through the widest window from each match on: each match comes in once and goes out once. */
function slide(
  matches: readonly Match[],
  weights: ReadonlyMap<string, number>,
  { room, onWindow }: Slide,
): void {
  const inside = new Map<string, number>();
  let weight = 0;
  let next = 0;
  for (const [first, { start, term }] of matches.entries()) {
    for (let match = matches[next]; match !== undefined; match = matches[next]) {
      if (next > first && match.end - start > room) break;
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

/** Up to the match that brings the last of the terms. */
function narrowed(matches: readonly Match[], first: number, last: number): Window {
  const seen = new Set<string>();
  const start = matches[first]?.start ?? 0;
  let end = start;
  for (const match of matches.slice(first, last + 1)) {
    if (!seen.has(match.term)) end = Math.max(end, match.end);
    seen.add(match.term);
  }
  return { start, end };
}

/** How many of the places, which are in order, lie behind `start` and before `end`. */
function countBetween(places: readonly number[], start: number, end: number): number {
  return lastUpTo(places, end - 1) - lastUpTo(places, start);
}

/** The index of the last place that is not behind `limit`; -1 where there is none. */
export function lastUpTo(places: readonly number[], limit: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Widens a part of a text to whole lines and sentences, where they fit, and else to whole words. */
export function widenWindow({ text, starts }: CollapsedText, core: Window, room: number): Window {
  const from = starts[lastUpTo(starts, core.start)] ?? 0;
  const isWholeFrom = core.end - from <= room;
  const start = isWholeFrom ? from : wordStart(text, leadIn(core, room), core.start);
  const limit = start + room;
  if (limit >= text.length) return { start, end: text.length };
  const next = starts[lastUpTo(starts, limit + 1)] ?? 0;
  const wholeEnd = text[next - 1] === " " ? next - 1 : next;
  // A heading alone says little: rather a part of what stands under it.
  const isEnough = wholeEnd >= core.end && wholeEnd - start >= room / 2;
  return { start, end: isEnough ? wholeEnd : wordEnd(text, limit, Math.max(start, core.end)) };
}

/** What leads to the first match gets a third of the room that is left. */
function leadIn({ start, end }: Window, room: number): number {
  return Math.max(0, start - Math.floor(Math.max(0, room - (end - start)) / 3));
}

function wordStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0;
  const space = text.slice(from - 1, latest).indexOf(" ");
  return wholeCharacter(text, space === -1 ? from : from + space);
}

/** The end of the last whole word; in the middle of one that fills all of the room. */
function wordEnd(text: string, limit: number, earliest: number): number {
  const space = text.slice(earliest, limit + 1).lastIndexOf(" ");
  return wholeCharacter(text, space === -1 ? limit : earliest + space);
}

/** The place itself, or the one before it where it would part the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xff_ff ? at - 1 : at;
}
