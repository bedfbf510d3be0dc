import type { ExamResult } from "../generation/exam-result.ts";

/** Why a candidate was rejected, in one line. */
export function rejectionMessage(
  { asked, foundBefore, foundAfter }: ExamResult,
  number: number,
): string {
  return `generation ${number} was rejected: it answers ${foundAfter} of ${asked} questions about past sessions, and the current memory answers ${foundBefore}`;
}

const MAX_LISTED = 100;
const MAX_DIFF_LINES = 2_000;

/** A document about a rejected candidate: what it lost, and how it differs from the memory that stays. */
export function renderRejection(input: {
  readonly result: ExamResult;
  readonly number: number;
  readonly madeAt: string;
  readonly before: string;
  readonly after: string;
}): string {
  const { result, number, madeAt, before, after } = input;
  const lost = result.lost.slice(0, MAX_LISTED).map((text) => `- ${text}`);
  const diff = diffLines(before, after);
  const shown = diff.slice(0, MAX_DIFF_LINES);
  return [
    `# Rejected: generation ${number}`,
    "",
    `${madeAt}: ${rejectionMessage(result, number)}.`,
    "",
    "## No longer answered",
    "",
    ...lost,
    ...(result.lost.length > lost.length ? [`- and ${result.lost.length - lost.length} more`] : []),
    "",
    "## Changes in MEMORY.md",
    "",
    "````diff",
    ...shown,
    ...(diff.length > shown.length ? [`… ${diff.length - shown.length} more lines`] : []),
    "````",
    "",
  ].join("\n");
}

/** Lines that only one of the texts has. Lines that moved do not count. */
function diffLines(before: string, after: string): readonly string[] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  const [inOld, inCurrent] = [new Set(old), new Set(current)];
  return [
    ...old.filter((line) => line.trim() !== "" && !inCurrent.has(line)).map((line) => `- ${line}`),
    ...current.filter((line) => line.trim() !== "" && !inOld.has(line)).map((line) => `+ ${line}`),
  ];
}
