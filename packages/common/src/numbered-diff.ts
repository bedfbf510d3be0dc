import type { DiffHunk } from "./line-diff.ts";

/** One line of a diff. */
export interface NumberedLine {
  readonly sign: " " | "-" | "+";
  /** In the new text, or for a removed line in the old one. `undefined` where lines are left out. */
  readonly line: number | undefined;
  readonly text: string;
}

/** Lines marked `-` and `+`, with the numbers that they have in the new text. */
export function renderHunk({ line, lead, before, after, tail }: DiffHunk): readonly string[] {
  const changed = line + lead.length;
  return [
    ...lead.map((text, index) => `  ${line + index}\t${text}`),
    ...before.map((text) => `- \t${text}`),
    ...after.map((text, index) => `+ ${changed + index}\t${text}`),
    ...tail.map((text, index) => `  ${changed + after.length + index}\t${text}`),
  ];
}

const LINE = /^([ +-]) (\d*)\t([^]*)$/;

/** Reads rendered hunks. Removed lines get the numbers that they had in the old text. */
export function parseNumberedDiff(text: string): readonly NumberedLine[] {
  const lines = text === "" ? [] : text.split("\n");
  let oldLine: number | undefined;
  let shift = 0;
  return lines.map((each, index): NumberedLine => {
    const [, sign, number = "", content = ""] = LINE.exec(each) ?? [];
    if (sign !== "-" && sign !== "+" && sign !== " ")
      return { sign: " ", line: undefined, text: each };
    if (sign === "-") {
      const line = oldLine ?? oldLineAt(lines, index, shift);
      oldLine = line === undefined ? undefined : line + 1;
      shift -= 1;
      return { sign, line, text: content };
    }
    const line = Number(number);
    if (sign === "+") shift += 1;
    oldLine = line - shift + 1;
    return { sign, line, text: content };
  });
}

/** The old number of a removed line that no numbered line precedes: the next numbered one is at the same position. */
function oldLineAt(lines: readonly string[], index: number, shift: number): number | undefined {
  const next = lines.slice(index).find((each) => !each.startsWith("-"));
  const number = next === undefined ? "" : (LINE.exec(next)?.[2] ?? "");
  return number === "" ? undefined : Number(number) - shift;
}
