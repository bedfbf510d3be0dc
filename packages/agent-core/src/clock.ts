/** Time as an argument, so that tests do not have to wait. */
export interface Clock {
  readonly nowMs: () => number;
  /** Calls back once after the delay. The returned function cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** The real time, for callers that pass no clock of their own. */
export const SYSTEM_CLOCK: Clock = {
  // oxlint-disable-next-line no-restricted-properties -- the default of an argument
  nowMs: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
