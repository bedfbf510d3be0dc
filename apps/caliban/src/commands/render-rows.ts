import { createStyle } from "../cli/style.ts";
import { wrapText } from "../cli/wrap-text.ts";
import type { Host } from "../host.ts";

type Row = readonly string[];
type Screen = Pick<Host, "columns" | "hasColor">;

const MAX_CELL_WIDTH = 40;
/** In less space than this, wrapping the last cell makes it harder to read. */
const MIN_WRAP_WIDTH = 20;

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
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(MAX_CELL_WIDTH, Math.max(...rows.map((row) => (row[column] ?? "").length))),
  );
  const totalWidth = columns();
  return rows.map((row) => {
    const [first = "", ...more] = row
      .slice(0, -1)
      .map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `);
    const rest = more.join("");
    const indent = 2 + first.length + rest.length;
    const last = wrapCell(row.at(-1) ?? "", indent, totalWidth);
    return `${`  ${paintFirst(first)}${rest}${last}`.trimEnd()}\n`;
  });
}

function wrapCell(text: string, indent: number, totalWidth: number | undefined): string {
  const width = totalWidth === undefined ? undefined : totalWidth - indent;
  if (width === undefined || width < MIN_WRAP_WIDTH) return text;
  return wrapText(text, width).join(`\n${" ".repeat(indent)}`);
}
