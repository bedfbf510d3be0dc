/** One line of a benchmark. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "MB" | "tokens";
  /** Divided by the baseline of the same run, such as a bare Node process. */
  readonly ratio?: number | undefined;
  /** Divided by the same measurement of the other checkout, with `--against`. */
  readonly change?: number | undefined;
}

/** A time in milliseconds, and its ratio to a baseline. */
export function timing(name: string, ms = 0, baselineMs = ms): Measurement {
  return { name, value: ms, unit: "ms", ratio: ms / baselineMs };
}

/** Unlike the mean, the median does not move because of one slow run. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Compares two checkouts by their faster runs, because other processes only ever make a run slower. */
export function changeOf(current: readonly number[], previous: readonly number[]): number {
  return quantile(current, 0.25) / quantile(previous, 0.25);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
