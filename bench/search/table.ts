/** A part of a benchmark with several figures per line. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** Printed below the table. */
  readonly notes?: readonly string[];
}

export interface TableRow {
  readonly name: string;
  /** One per column; `undefined` where nothing was measured. */
  readonly figures: readonly (Figure | undefined)[];
}

export interface Figure {
  readonly value: number;
  readonly digits: number;
  readonly limit?: Limit | undefined;
}

/** The limit of a figure. */
export interface Limit {
  readonly kind: "at most" | "at least";
  readonly value: number;
}

export function isWithinLimit({ value, limit }: Figure): boolean {
  if (limit === undefined) return true;
  return limit.kind === "at most" ? value <= limit.value : value >= limit.value;
}

/** Returns a line for every figure that exceeds its limit. */
export function exceededLimits({ title, columns, rows }: Table): readonly string[] {
  return rows.flatMap(({ name, figures }) =>
    figures.flatMap((figure, at) =>
      figure === undefined || isWithinLimit(figure)
        ? []
        : [`${title}: ${name}, ${columns[at] ?? ""}: ${renderFigure(figure)}`],
    ),
  );
}

/** Renders the lines of a table. Limits are shown next to their figures. */
export function renderTable({ title, columns, rows, notes = [] }: Table): readonly string[] {
  const lines = [["", ...columns], ...rows.map(({ name, figures }) => [name, ...cells(figures)])];
  const widths = ["", ...columns].map((_, at) =>
    Math.max(...lines.map((line) => (line[at] ?? "").length)),
  );
  return [
    title,
    ...lines.map((line) => `  ${line.map((cell, at) => padCell(cell, at, widths)).join("  ")}`),
    ...notes.map((note) => `  ${note}`),
    "",
  ];
}

function cells(figures: TableRow["figures"]): readonly string[] {
  return figures.map((figure) => (figure === undefined ? "" : renderFigure(figure)));
}

function padCell(cell: string, at: number, widths: readonly number[]): string {
  const width = widths[at] ?? 0;
  return at === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function renderFigure({ value, digits, limit }: Figure): string {
  const text = value.toFixed(digits);
  if (limit === undefined) return text;
  const sign = limit.kind === "at most" ? "≤" : "≥";
  return `${text} (${isWithinLimit({ value, digits, limit }) ? "" : "EXCEEDED: "}${sign} ${limit.value})`;
}
