/** One part of a benchmark that has several figures a line. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  /** What a reader has to know, under it. */
  readonly notes?: readonly string[];
}

export interface TableRow {
  readonly name: string;
  /** One for each column; `undefined` where nothing was measured. */
  readonly figures: readonly (Figure | undefined)[];
}

export interface Figure {
  readonly value: number;
  readonly digits: number;
  readonly limit?: Limit | undefined;
}

/** What a figure is held against. */
export interface Limit {
  readonly kind: "at most" | "at least";
  readonly value: number;
}

export function isKept({ value, limit }: Figure): boolean {
  if (limit === undefined) return true;
  return limit.kind === "at most" ? value <= limit.value : value >= limit.value;
}

/** Every limit of a table that is not kept, as a line. */
export function brokenLimits({ title, columns, rows }: Table): readonly string[] {
  return rows.flatMap(({ name, figures }) =>
    figures.flatMap((figure, at) =>
      figure === undefined || isKept(figure)
        ? []
        : [`${title}: ${name}, ${columns[at] ?? ""}: ${rendered(figure)}`],
    ),
  );
}

/** The lines of a table. Limits stand beside the figures they are for. */
export function renderTable({ title, columns, rows, notes = [] }: Table): readonly string[] {
  const lines = [["", ...columns], ...rows.map(({ name, figures }) => [name, ...cells(figures)])];
  const widths = ["", ...columns].map((_, at) =>
    Math.max(...lines.map((line) => (line[at] ?? "").length)),
  );
  return [
    title,
    ...lines.map((line) => `  ${line.map((cell, at) => padded(cell, at, widths)).join("  ")}`),
    ...notes.map((note) => `  ${note}`),
    "",
  ];
}

function cells(figures: TableRow["figures"]): readonly string[] {
  return figures.map((figure) => (figure === undefined ? "" : rendered(figure)));
}

function padded(cell: string, at: number, widths: readonly number[]): string {
  const width = widths[at] ?? 0;
  return at === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function rendered({ value, digits, limit }: Figure): string {
  const text = value.toFixed(digits);
  if (limit === undefined) return text;
  const sign = limit.kind === "at most" ? "≤" : "≥";
  return `${text} (${isKept({ value, digits, limit }) ? "" : "BROKEN: "}${sign} ${limit.value})`;
}
