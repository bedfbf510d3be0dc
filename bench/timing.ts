/** One line of a benchmark. */
export interface Timing {
  readonly name: string;
  readonly medianMs: number;
  /** This time divided by what it is compared with in the same run. */
  readonly ratio: number;
}

/** A line from a time and what it is compared with. */
export function timingOf(name: string, time = 0, base = time): Timing {
  return { name, medianMs: time, ratio: time / base };
}
