import type { Clock } from "@caliban/agent-core";

/** The clock of this machine. */
export function systemClock(now: () => number): Clock {
  return {
    nowMs: now,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}
