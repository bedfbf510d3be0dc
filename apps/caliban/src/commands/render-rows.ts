import { hang, wrapText } from "@caliban/common";
import { createStyle } from "../cli/style.ts";
import type { Host } from "../host.ts";

type Row = readonly string[];
type Screen = Pick<Host, "columns" | "hasColor">;

const MAX_CELL_WIDTH = 40;

/** Renders a table. Columns are as wide as their widest cell, up to a limit. On a terminal the last cell wraps at spaces. */
export function renderRows(rows: readonly Row[], screen: Screen): string {
  return renderEachRow(rows, screen).join("");
}

/** The same with the first column in color, for names. */
export function renderNamedRows(rows: readonly Row[], screen: Screen): readonly string[] {
  const { name } = createStyle(screen.hasColor("stdout"));
  return renderEachRow(rows, screen, name);
}

function renderEachRow(
  rows: readonly Row[],
  { columns }: Screen,
  paintFirst = (cell: string): string => cell,
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => columnWidth(rows, column));
  const totalWidth = columns();
  return rows.map((row) => {
    const cells = row.slice(0, -1).map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `);
    const head = fitHead(`  ${cells.join("")}`, totalWidth);
    const text = row.at(-1) ?? "";
    const [first = ""] = cells;
    const paint = (each: string): string => {
      const end = Math.min(each.length, first.length + 2);
      return `  ${paintFirst(each.slice(2, end))}${each.slice(end)}`;
    };
    return `${hang({ head, text, columns: totalWidth, paint })}\n`;
  });
}

/** One long cell does not push the other rows apart. */
function columnWidth(rows: readonly Row[], column: number): number {
  const widths = rows.map((row) => (row[column] ?? "").length);
  return Math.max(0, ...widths.filter((width) => width <= MAX_CELL_WIDTH));
}

/** Cells that are too wide for a line together are broken between words, too. */
function fitHead(head: string, columns = Infinity): string {
  if (head.trimEnd().length <= columns) return head;
  return `  ${wrapText(head.trim(), columns - 4)
    .map((line) => line.trim())
    .join("\n    ")}  `;
}
