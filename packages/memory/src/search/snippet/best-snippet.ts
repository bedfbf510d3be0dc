import { analyzeQuery, termPrefixes } from "../analyzer/query-terms.ts";
import type { MarkedText } from "../results/results.ts";
import { bestWindow, type Window, widenWindow } from "./window.ts";
import { findMatches, type Match } from "./matches.ts";

const SNIPPET_CHARACTERS = 160;
const ELLIPSIS = "…";

/**
 * The part of a text that matches a query best, on one line, with the matching words marked. If nothing matches, the start
 * of the text. An ellipsis shows where a sentence is cut. The header of a file is left out.
 */
export function bestSnippet(
  text: string,
  query: string,
  maxCharacters: number = SNIPPET_CHARACTERS,
): MarkedText {
  const { collapsed, matches } = findBestPart(withoutHeader(text), query, maxCharacters);
  const { length } = collapsed.text;
  if (length <= maxCharacters) return marked(collapsed.text, matches, { start: 0, end: length });
  const maxLength = Math.max(0, maxCharacters - 2 * ELLIPSIS.length);
  const core = bestWindow(matches, collapsed.starts, maxLength) ?? { start: 0, end: 0 };
  const window = widenWindow(collapsed, core, maxLength);
  const isCutAtStart = !collapsed.starts.includes(window.start);
  const isCutAtEnd =
    window.end < length &&
    !collapsed.starts.includes(window.end) &&
    !collapsed.starts.includes(window.end + 1);
  const { text: part, marks } = marked(collapsed.text, matches, window);
  const shift = isCutAtStart ? ELLIPSIS.length : 0;
  return {
    text: `${isCutAtStart ? ELLIPSIS : ""}${part}${isCutAtEnd ? ELLIPSIS : ""}`,
    marks: marks.map(([start, end]) => [start + shift, end + shift]),
  };
}

/** Enough of a text in which nothing matches. */
const START_CHARACTERS = 32 * 1024;

/** The best part of a text that contains a match, otherwise its start. */
function findBestPart(
  text: string,
  query: string,
  maxCharacters: number,
): { readonly collapsed: CollapsedText; readonly matches: readonly Match[] } {
  const analyzed = analyzeQuery(query);
  for (const part of candidateParts(text, analyzed.terms.keys(), maxCharacters)) {
    const collapsed = collapseLines(part);
    const matches = findMatches(collapsed.text, analyzed);
    if (matches.length > 0) return { collapsed, matches };
  }
  const start = text.trimStart().slice(0, Math.max(START_CHARACTERS, 2 * maxCharacters));
  return { collapsed: collapseLines(start), matches: [] };
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

/** A text on one line, and where its original lines and sentences start. */
export interface CollapsedText {
  readonly text: string;
  /** Sorted; the first is 0. Empty for an empty text. */
  readonly starts: readonly number[];
}

const FRONT_MATTER = /^\uFEFF?---\r?\n(?:[\s\S]*?\n)?---[ \t]*(?:\r?\n|$)/;
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]+/;
const SPACE = /[\s\0\u0085]+/g;
// A CJK sentence ends without a space.
const SENTENCE_END = /[.!?…]["')\]]* |[。！？]["'）」』]* ?/g;

/** Removes the header of a file. */
function withoutHeader(text: string): string {
  return text.replace(FRONT_MATTER, "");
}

/** Puts a text on one line with single spaces. */
function collapseLines(text: string): CollapsedText {
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

/** Longer texts are searched in parts. */
const PART_LENGTH = 16 * 1024;
/** How far a snippet may extend beyond its part. */
const MARGIN = 1_024;
const MAX_PARTS = 3;
const MAX_PREFIXES = 16;

/**
 * The parts of a text that may contain the terms, best first. A long text is searched for prefixes of the terms, which
 * takes a fraction of the time. A short text is one part; so is the start of a text without any prefix.
 */
function candidateParts(
  text: string,
  terms: Iterable<string>,
  maxCharacters: number,
): readonly string[] {
  if (text.length <= 2 * PART_LENGTH || maxCharacters > MARGIN) return [text];
  const weights = weightsOfParts(text.toLowerCase(), terms);
  const best = [...weights]
    .toSorted(([one, more], [other, less]) => less - more || one - other)
    .slice(0, MAX_PARTS)
    .map(([part]) => part);
  return (best.length === 0 ? [0] : best).map((part) => partAt(text, part));
}

/** The weight of each part; a prefix counts more the fewer parts contain it. */
function weightsOfParts(lower: string, terms: Iterable<string>): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const prefix of termPrefixes(terms).slice(0, MAX_PREFIXES)) {
    const parts: number[] = [];
    for (let at = lower.indexOf(prefix); at !== -1;) {
      const part = Math.floor(at / PART_LENGTH);
      parts.push(part);
      at = lower.indexOf(prefix, (part + 1) * PART_LENGTH);
    }
    for (const part of parts) weights.set(part, (weights.get(part) ?? 0) + 1 / parts.length);
  }
  return weights;
}

const SPLIT_SURROGATES = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

function partAt(text: string, part: number): string {
  const start = Math.max(0, part * PART_LENGTH - MARGIN);
  return text.slice(start, (part + 1) * PART_LENGTH + MARGIN).replaceAll(SPLIT_SURROGATES, "");
}
