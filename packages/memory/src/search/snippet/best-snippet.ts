import { analyzeQuery } from "../analyzer/analyze-query.ts";
import type { MarkedText } from "../marked-text.ts";
import { bestWindow, type Window } from "./window.ts";
import { type CollapsedText, collapseLines, withoutHeader } from "./collapsed-lines.ts";
import { findMatches, type Match } from "./matches.ts";
import { likelyParts } from "./likely-parts.ts";
import { widenWindow } from "./widen-window.ts";

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
