/** Time as an argument, so that a test need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Calls back once after a time; what it returns takes that back. */
  readonly after: (ms: number, callback: () => void) => () => void;
}
