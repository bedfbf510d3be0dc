/** Time as an argument, so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Calls back once after a delay; the returned function cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void;
}
