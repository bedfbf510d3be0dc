import { analyzeQuery, termPrefixes } from "../analyzer/query-terms.ts";
import type { MarkedText } from "../results.ts";
import { bestWindow, type Window, widenWindow } from "./window.ts";
import { findMatches, type Match } from "./matches.ts";



const SNIPPET_CHARACTERS = 160;
const ELLIPSIS = "…";

/**
 * The part of a text that holds most of what is looked for, on one line, with every word marked that a search would find it by. The
 * beginning, where nothing matches; an ellipsis, where a sentence is cut. The header of a file is left out.
 */
export function bestSnippet(
  text: string,
  query: string,
  maxCharacters: number = SNIPPET_CHARACTERS,
): MarkedText {
  const { collapsed, matches } = likeliestPart(withoutHeader(text), query, maxCharacters);
  const { length } = collapsed.text;
  if (length <= maxCharacters) return marked(collapsed.text, matches, { start: 0, end: length });
  const room = Math.max(0, maxCharacters - 2 * ELLIPSIS.length);
  const core = bestWindow(matches, collapsed.starts, room) ?? { start: 0, end: 0 };
  const window = widenWindow(collapsed, core, room);
  const isCutBefore = !collapsed.starts.includes(window.start);
  const isCutAfter =
    window.end < length &&
    !collapsed.starts.includes(window.end) &&
    !collapsed.starts.includes(window.end + 1);
  const { text: part, marks } = marked(collapsed.text, matches, window);
  const shift = isCutBefore ? ELLIPSIS.length : 0;
  return {
    text: `${isCutBefore ? ELLIPSIS : ""}${part}${isCutAfter ? ELLIPSIS : ""}`,
    marks: marks.map(([start, end]) => [start + shift, end + shift]),
  };
}

/** More than is shown of a text in which nothing matches. */
const BEGINNING = 32 * 1024;

/** The best part of a text in which something matches, or else its beginning. */
function likeliestPart(
  text: string,
  query: string,
  maxCharacters: number,
): { readonly collapsed: CollapsedText; readonly matches: readonly Match[] } {
  const wanted = analyzeQuery(query);
  for (const part of likelyParts(text, wanted.terms.keys(), maxCharacters)) {
    const collapsed = collapseLines(part);
    const matches = findMatches(collapsed.text, wanted);
    if (matches.length > 0) return { collapsed, matches };
  }
  const beginning = text.trimStart().slice(0, Math.max(BEGINNING, 2 * maxCharacters));
  return { collapsed: collapseLines(beginning), matches: [] };
}

function marked(text: string, matches: readonly Match[], { start, end }: Window): MarkedText {
  const marks: [number, number][] = [];
  for (const match of matches) {
    const from = Math.max(match.start, start) - start;
    const to = Math.min(match.end, end) - start;
    if (from >= to) continue;
    const last = marks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  return { text: text.slice(start, end), marks };
}

/** A text on one line, and where in it the lines and sentences begin that it had. */
export interface CollapsedText {
  readonly text: string;
  /** In order; the first is 0. None for an empty text. */
  readonly starts: readonly number[];
}

const FRONT_MATTER = /^\uFEFF?---\r?\n(?:[\s\S]*?\n)?---[ \t]*(?:\r?\n|$)/;
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]+/;
const SPACE = /[\s\0\u0085]+/g;
// A sentence of a script without spaces ends without one.
const SENTENCE_END = /[.!?…]["')\]]* |[。！？]["'）」』]* ?/g;

/** The text of a file without its header. */
export function withoutHeader(text: string): string {
  return text.replace(FRONT_MATTER, "");
}

/** Puts a text on one line, with no more than one space side by side. */
export function collapseLines(text: string): CollapsedText {
  let joined = "";
  const starts: number[] = [];
  for (const line of text.toWellFormed().split(LINE_BREAK)) {
    const plain = line.replaceAll(SPACE, " ").trim();
    if (plain === "") continue;
    if (joined !== "") joined += " ";
    const start = joined.length;
    starts.push(start);
    for (const { index, 0: end } of plain.matchAll(SENTENCE_END)) {
      const next = index + end.length;
      if (next < plain.length) starts.push(start + next);
    }
    joined += plain;
  }
  return { text: joined, starts };
}

/** Longer texts are looked at in parts. */
const PART = 16 * 1024;
/** What is shown of a part goes no further beyond it. */
const MARGIN = 1_024;
const MOST_PARTS = 3;
const MOST_BEGINNINGS = 16;

/**
 * The parts of a text that are worth a close look for terms, best first: a long one is searched for how their words begin,
 * which takes a small part of the time. A short text is one part, and so is the beginning of one with nothing of them in it.
 */
export function likelyParts(
  text: string,
  terms: Iterable<string>,
  maxCharacters: number,
): readonly string[] {
  if (text.length <= 2 * PART || maxCharacters > MARGIN) return [text];
  const weights = weightsOfParts(text.toLowerCase(), terms);
  const best = [...weights]
    .toSorted(([one, more], [other, less]) => less - more || one - other)
    .slice(0, MOST_PARTS)
    .map(([part]) => part);
  return (best.length === 0 ? [0] : best).map((part) => partAt(text, part));
}

/** How much of what is looked for each part has; a word counts the more, the fewer parts have it. */
function weightsOfParts(lower: string, terms: Iterable<string>): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const beginning of termPrefixes(terms).slice(0, MOST_BEGINNINGS)) {
    const parts: number[] = [];
    for (let at = lower.indexOf(beginning); at !== -1;) {
      const part = Math.floor(at / PART);
      parts.push(part);
      at = lower.indexOf(beginning, (part + 1) * PART);
    }
    for (const part of parts) weights.set(part, (weights.get(part) ?? 0) + 1 / parts.length);
  }
  return weights;
}

const HALVES_AT_ENDS = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

function partAt(text: string, part: number): string {
  const start = Math.max(0, part * PART - MARGIN);
  return text.slice(start, (part + 1) * PART + MARGIN).replaceAll(HALVES_AT_ENDS, "");
}
