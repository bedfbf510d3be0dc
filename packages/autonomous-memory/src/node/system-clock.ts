import type { Clock } from "../run/clock.ts";

/** The real time. */
export function systemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}
