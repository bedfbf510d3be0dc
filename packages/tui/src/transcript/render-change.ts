import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Theme } from "../theme.ts";
import type { Change } from "./tool-change.ts";

export interface ChangeLook {
  readonly theme: Theme;
  readonly width: number;
  /** All lines when left out. */
  readonly maxLines?: number;
  /** Whether long lines are wrapped instead of truncated. */
  readonly wraps: boolean;
}

/** The removed and added lines of a change with their numbers, up to a limit. */
export function renderChange(change: Change, look: ChangeLook): readonly string[] {
  const { theme, width, maxLines = Infinity } = look;
  const columns = Math.max(0, ...change.map(({ line }) => String(line ?? "").length));
  const gap = theme.dim(`  ${" ".repeat(columns)}⋮`);
  const lines: string[] = [];
  for (const [index, line] of change.slice(0, maxLines).entries()) {
    if (isAfterGap(change, index)) lines.push(gap);
    lines.push(...renderLine(line, { ...look, columns }));
  }
  const hiddenCount = change.length - Math.min(maxLines, change.length);
  if (hiddenCount === 0) return lines;
  const rest = `  … ${hiddenCount} more ${hiddenCount === 1 ? "line" : "lines"}`;
  return [...lines, theme.dim(truncateToWidth(rest, width, "…"))];
}

/** Whether lines are left out before this one. */
function isAfterGap(change: Change, index: number): boolean {
  const { sign, line } = change[index] ?? {};
  const previous = change.slice(0, index).findLast((each) => each.sign !== "-");
  if (sign !== " " || line === undefined || previous?.line === undefined) return false;
  return line > previous.line + 1;
}

function renderLine(
  { sign, line, text }: Change[number],
  { theme, width, wraps, columns }: ChangeLook & { readonly columns: number },
): readonly string[] {
  const number = columns === 0 ? "" : `${String(line ?? "").padStart(columns)} `;
  const style = { "+": theme.added, "-": theme.removed, " ": theme.dim }[sign];
  const lead = `  ${number}${sign} `;
  // The number is dim whatever the line is.
  const styled = (row: string): string =>
    `${theme.dim(row.slice(0, 2 + number.length))}${style(row.slice(2 + number.length))}`;
  if (!wraps) return [styled(truncateToWidth(`${lead}${text}`, width, "…"))];
  const indent = " ".repeat(visibleWidth(lead));
  const parts = text === "" ? [""] : wrapTextWithAnsi(text, Math.max(1, width - indent.length));
  return parts.map((part, index) => (index === 0 ? styled(lead + part) : style(indent + part)));
}
