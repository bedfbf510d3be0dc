import { diffLines, splitLines, terminalSafe } from "@caliban/common";
import type { Style } from "../cli/style.ts";

export interface TextChange {
  /** As it is shown. */
  readonly name: string;
  /** Absent if there is no file. */
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

/** A change of a file as a unified diff. */
export function renderTextDiff({ name, before, after }: TextChange, style: Style): string {
  const lines = [
    style.heading(`--- ${before === null || before === undefined ? "/dev/null" : name}`),
    style.heading(`+++ ${after === null || after === undefined ? "/dev/null" : name}`),
    ...hunkLines(before ?? "", after ?? "", style),
  ];
  return `${lines.join("\n")}\n`;
}

const CONTEXT_LINES = 3;

function hunkLines(before: string, after: string, style: Style): readonly string[] {
  let shift = 0;
  const hunks = diffLines(splitLines(before), splitLines(after), CONTEXT_LINES);
  return hunks.flatMap(({ line, lead, before: removed, after: added, tail }) => {
    const around = lead.length + tail.length;
    const old = range(line - shift, around + removed.length);
    shift += added.length - removed.length;
    return [style.name(`@@ -${old} +${range(line, around + added.length)} @@`)].concat(
      lead.map(sameLine),
      removed.map((text) => style.bad(`-${terminalSafe(text)}`)),
      added.map((text) => style.good(`+${terminalSafe(text)}`)),
      tail.map(sameLine),
    );
  });
}

function sameLine(text: string): string {
  return ` ${terminalSafe(text)}`;
}

/** A part without lines is named by the line before it, as `diff` does. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
