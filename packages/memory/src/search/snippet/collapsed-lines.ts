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
