import { type Range, scanMarkdown } from "./markdown-regions.ts";

export interface StrippedText {
  readonly text: string;
  /** The line of a comment that never ends; it stays in the text. */
  readonly openCommentLine: number | undefined;
}

/** Takes HTML comments out, but not what is shown as code. A line that held only a comment goes with it. */
export function stripComments(text: string): StrippedText {
  if (!text.includes("<!--")) return { text, openCommentLine: undefined };
  const { comments, openComment } = scanMarkdown(text);
  let end = 0;
  const parts = joinNeighbours(text, comments).map((comment) => {
    const range = wholeLines(text, comment, end);
    const kept = text.slice(end, range.start);
    end = range.end;
    return kept;
  });
  return {
    text: parts.join("") + text.slice(end),
    openCommentLine:
      openComment === undefined ? undefined : text.slice(0, openComment).split("\n").length,
  };
}

/** Comments with nothing but white space between them on a line are one. */
function joinNeighbours(text: string, comments: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const isNext = last !== undefined && /^[ \t]*$/.test(text.slice(last.end, comment.start));
    if (isNext) joined[joined.length - 1] = { start: last.start, end: comment.end };
    else joined.push(comment);
  }
  return joined;
}

/** Widens a comment to its lines when nothing else stands on them. */
function wholeLines(text: string, { start, end }: Range, after: number): Range {
  const lineStart = Math.max(text.lastIndexOf("\n", start - 1) + 1, after);
  const newline = text.indexOf("\n", end);
  const lineEnd = newline === -1 ? text.length : newline + 1;
  const isAlone =
    text.slice(lineStart, start).trim() === "" &&
    text.slice(end, lineEnd).trim() === "" &&
    (lineStart === 0 || text[lineStart - 1] === "\n");
  return isAlone ? { start: lineStart, end: lineEnd } : { start, end };
}
