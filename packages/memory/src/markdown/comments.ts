import { type Range, scanMarkdown } from "./regions.ts";

export interface StrippedText {
  readonly text: string;
  /** The line of a comment that is never closed; it stays in the text. */
  readonly openCommentLine: number | undefined;
}

/** Removes HTML comments, except in code. A line with nothing but a comment is removed with it. */
export function stripComments(text: string): StrippedText {
  if (!text.includes("<!--")) return { text, openCommentLine: undefined };
  const { comments, openComment } = scanMarkdown(text);
  let end = 0;
  const parts = joinAdjacent(text, comments).map((comment) => {
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

/** Joins comments with nothing but white space between them on a line. */
function joinAdjacent(text: string, comments: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const isNext = last !== undefined && /^[ \t]*$/.test(text.slice(last.end, comment.start));
    if (isNext) joined[joined.length - 1] = { start: last.start, end: comment.end };
    else joined.push(comment);
  }
  return joined;
}

/** Widens a comment to its whole lines when there is nothing else on them. It scans no further than necessary. */
function wholeLines(text: string, { start, end }: Range, after: number): Range {
  let lineStart = start;
  while (lineStart > after && isSpace(text[lineStart - 1])) lineStart--;
  let lineEnd = end;
  while (isSpace(text[lineEnd])) lineEnd++;
  const beginsLine = lineStart === 0 || text[lineStart - 1] === "\n";
  const endsLine = lineEnd >= text.length || text[lineEnd] === "\n";
  if (!beginsLine || !endsLine) return { start, end };
  return { start: lineStart, end: Math.min(lineEnd + 1, text.length) };
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
