import { addedLines } from "./added-lines.ts";
import { isFenceLine, lineKinds } from "./headings.ts";

/** What people did to a generated text, over all generations so far. */
export interface EditRecord {
  /** In the order of the text. */
  readonly added: readonly AddedBlock[];
  /** Digests of lines that are not to come back. Of what a person took out, the words are not kept. */
  readonly removed: readonly string[];
}

/** Lines that a person wrote one below the other, and what they stood between. */
export interface AddedBlock {
  readonly lines: readonly string[];
  /** The line with words above and below. */
  readonly above: string | undefined;
  readonly below: string | undefined;
  /** The heading that they stood under. */
  readonly heading: string | undefined;
  readonly hasBlankAbove: boolean;
  readonly hasBlankBelow: boolean;
}

/** What was found in one look. */
export interface FoundEdits {
  readonly record: EditRecord;
  /** Lines that are a person's and there now, also from earlier times. */
  readonly added: readonly string[];
  /** Lines that were taken out since the text was made. */
  readonly removed: readonly string[];
}

export type Digest = (text: string) => string;

/** What stands above lines of a person that have no other place; it comes and goes with them. */
export const KEPT_HEADING = "## Kept by hand";

export const NO_EDITS: EditRecord = { added: [], removed: [] };

/** The text as it was made, as it is now, and what was known before. */
export interface EditedText {
  readonly made: string;
  readonly now: string;
  readonly known: EditRecord;
}

/** Finds what a person changed. A line that is only elsewhere now, or there once less, is no change. */
export function findEdits({ made, now, known }: EditedText, digest: Digest): FoundEdits {
  const [before, after] = [linesOf(made), linesOf(now)];
  const [madeLines, nowLines] = [new Set(before), new Set(after)];
  const isNew = addedLines(before, after);
  const isGone = (line: string): boolean => hasWords(line) && !nowLines.has(line);
  const removed = [...madeLines].filter((line) => isGone(line) && line !== KEPT_HEADING);
  const newBlocks = runs(isNew).map(([from, to]) => after.slice(from, to));
  const blocks = [
    ...known.added.map(({ lines }) => lines.filter((line) => nowLines.has(line))),
    ...newBlocks.filter((lines) => lines.some((line) => hasWords(line) && !madeLines.has(line))),
  ];
  const added = inOrder(
    blocks.map(withoutBlankEnds).filter((lines) => lines.some(hasWords)),
    after,
  );
  // What a person writes again may be there again.
  const isBack = new Set(after.map(digest));
  const digests = [...known.removed, ...removed.map(digest)].filter((line) => !isBack.has(line));
  return {
    record: { added, removed: [...new Set(digests)] },
    added: [...new Set(added.flatMap(({ lines }) => lines.filter(hasWords)))],
    removed,
  };
}

/** Whether a line says something: fences, rules, brackets and empty lines are there more than once, and mean nothing alone. */
export function hasWords(line: string): boolean {
  return /[\p{L}\p{N}\p{So}]/u.test(line) && !isFenceLine(line);
}

export function linesOf(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split("\n");
}

function inOrder(
  blocks: readonly (readonly string[])[],
  text: readonly string[],
): readonly AddedBlock[] {
  return blocks
    .map((lines) => ({ lines, at: text.indexOf(lines.find(hasWords) ?? "") }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ lines, at }) => located(lines, at, text));
}

function located(lines: readonly string[], at: number, text: readonly string[]): AddedBlock {
  const own = new Set(lines);
  const { isHeading } = lineKinds(text);
  const isOwn = (line: string): boolean => own.has(line) && hasWords(line);
  const from = Math.max(0, at - lines.findIndex(hasWords));
  const last = text.findLastIndex((line, index) => index >= at && isOwn(line));
  const isAnchor = (line: string): boolean => hasWords(line) && !own.has(line);
  const behind = lines.length - 1 - lines.findLastIndex(hasWords);
  const to = Math.max(at, last) + behind + 1;
  return {
    lines,
    above: text.slice(0, at).findLast(isAnchor),
    below: text.slice(to).find(isAnchor),
    heading: text.slice(0, at).findLast((line, index) => isHeading[index] && !own.has(line)),
    hasBlankAbove: from > 0 && text[from - 1]?.trim() === "",
    hasBlankBelow: text[to]?.trim() === "",
  };
}

/** Where the flags are set, as half-open ranges. */
function runs(flags: readonly boolean[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [index, isSet] of flags.entries()) {
    const open = found.at(-1);
    if (!isSet) continue;
    if (open !== undefined && open[1] === index) open[1] = index + 1;
    else found.push([index, index + 1]);
  }
  return found;
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.trim() !== "");
  const to = lines.findLastIndex((line) => line.trim() !== "");
  return from === -1 ? [] : lines.slice(from, to + 1);
}
