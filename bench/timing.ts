/** One line of a benchmark. */
export interface Timing {
  readonly name: string;
  readonly medianMs: number;
  /** This time divided by what it is compared with in the same run. */
  readonly ratio: number;
}
