/** How a measurement changes with the size of something. */
export interface Curve {
  /** Of its picture. */
  readonly name: string;
  readonly title: string;
  /** What grows, such as "topics" or "bytes". */
  readonly of: "topics" | "sessions" | "bytes";
  readonly unit: string;
  readonly points: readonly Point[];
  /** The largest value that is wanted. */
  readonly target?: number | undefined;
}

export interface Point {
  readonly size: number;
  readonly value: number;
}

export function formatSize(size: number, of: Curve["of"]): string {
  if (of !== "bytes") return size.toLocaleString("en");
  return size < 1e6 ? `${size / 1e3} KB` : `${size / 1e6} MB`;
}

/** The lines that the bench prints. */
export function renderRows(curves: readonly Curve[]): readonly string[] {
  return curves.flatMap(({ title, of, unit, points, target }) => [
    `${title}${target === undefined ? "" : ` (at most ${target} ${unit})`}`,
    ...points.map(({ size, value }) => {
      const missed = target !== undefined && value > target ? "  ← above the target" : "";
      return `  ${formatSize(size, of).padStart(10)} ${value.toFixed(2).padStart(10)} ${unit}${missed}`;
    }),
  ]);
}
