import { isRecord } from "@caliban/common";

/** The beginning of a file that fits, and what the user sees about its size. */
export interface FittedFile {
  readonly text: string;
  readonly size: string;
}

/**
 * Shortens a result of Read to whole lines. The numbered lines come first in its text; whatever follows, such as
 * instructions for the file, stays.
 */
export function fitLines(
  { text, data }: { readonly text: string; readonly data?: unknown },
  maxCharacters: number,
): FittedFile {
  const { lines: shown, totalLines } = countsIn(data);
  if (shown === 0) return { text, size: "empty" };
  const all = text.split("\n");
  const isPartial = totalLines === undefined || totalLines > shown;
  // An empty line and the note about the rest, which may no longer be true.
  const tail = all.slice(shown + (isPartial ? 2 : 0));
  const kept = countFitting(all.slice(0, shown), maxCharacters);
  const rest = totalLines === undefined ? undefined : totalLines - kept;
  const note =
    rest === 0 ? [] : ["", `[${moreLines(rest)}: Read shows them from offset ${kept + 1}]`];
  return {
    text: [...all.slice(0, kept), ...note, ...tail].join("\n"),
    size: rest === 0 ? countLines(kept) : `${kept} of ${totalLines ?? "more"} lines`,
  };
}

/** At least one line, which Read limits. */
function countFitting(lines: readonly string[], maxCharacters: number): number {
  let used = 0;
  const end = lines.findIndex((line) => {
    used += line.length + 1;
    return used > maxCharacters;
  });
  return end === -1 ? lines.length : Math.max(end, 1);
}

function countsIn(data: unknown): {
  readonly lines: number;
  readonly totalLines: number | undefined;
} {
  const { lines, totalLines } = isRecord(data) ? data : {};
  return {
    lines: typeof lines === "number" ? lines : 0,
    totalLines: typeof totalLines === "number" ? totalLines : undefined,
  };
}

function moreLines(count: number | undefined): string {
  return count === undefined ? "more lines follow" : `${countLines(count, "more ")} follow`;
}

function countLines(count: number, adjective = ""): string {
  return `${count} ${adjective}${count === 1 ? "line" : "lines"}`;
}
