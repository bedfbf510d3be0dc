import { createView, type Replacement, type TextView } from "./text-view.ts";

// What may be between two pieces: a line end, and marks of a quoted, commented or listed block or of two string literals.
const LINE_START =
  /(?<=[\w+/=~"'-][ \t]{0,4}\r?)\n[ \t]{0,80}(?:(?:[>#|*]|\/\/)[ \t]{1,4}){0,2}["']?(?=(?<piece>[\w+/=.~-]{4,96}))/g;
const LINE_END = /(?<piece>[\w+/=.~-]{4,96})["']?[ \t]{0,4}\r?$/;
const MAX_LINE_END = 96;

// Unlike a word, a piece of a token has digits, or changes case in the middle. The first piece has a prefix.
const BEGINS_TOKEN = /[\d_-]|[a-z][A-Z]|[A-Z]{2}[a-z]/;
const CONTINUES_TOKEN = /\d|[a-z][A-Z]|[A-Z]{2}[a-z]/;

/** Joins lines where a token may have been wrapped: the pieces on both sides do not look like words. */
export function unwrapLines(text: string): TextView {
  return createView(text, findWraps(text));
}

function* findWraps(text: string): Iterable<Replacement> {
  for (const { 0: lineStart, index, groups } of text.matchAll(LINE_START)) {
    if (!CONTINUES_TOKEN.test(groups?.["piece"] ?? "")) continue;
    const before = text.slice(Math.max(0, index - MAX_LINE_END), index);
    const lineEnd = LINE_END.exec(before);
    const piece = lineEnd?.groups?.["piece"] ?? "";
    if (lineEnd === null || !BEGINS_TOKEN.test(piece)) continue;
    const start = index - before.length + lineEnd.index + piece.length;
    yield { start, end: index + lineStart.length, shown: "" };
  }
}
