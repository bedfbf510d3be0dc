/** One line of a benchmark that is more than a time. */
export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "MB" | "tokens";
  /** Divided by what it is compared with in the same run. */
  readonly ratio?: number;
}
