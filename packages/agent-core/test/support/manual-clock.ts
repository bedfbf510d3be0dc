import type { Clock } from "../../src/clock.ts";

export interface ManualClock extends Clock {
  /** Lets time pass; what falls due is called in its order. */
  readonly pass: (ms: number) => void;
  /** How long each wait that was asked for is. */
  readonly waits: readonly number[];
}

/** Time that passes only when a test says so. */
export function manualClock(): ManualClock {
  let now = 0;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  const waits: number[] = [];
  return {
    waits,
    nowMs: () => now,
    after: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      waits.push(ms);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pass: (ms) => {
      now += ms;
      const due = timers.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
      timers = timers.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
    },
  };
}

/** Time in which every wait longer than a moment is over at once: for retries that nobody wants to sit through. */
export function hastyClock(): Clock & { readonly waits: readonly number[] } {
  const waits: number[] = [];
  return {
    waits,
    nowMs: () => 0,
    after: (ms, callback) => {
      waits.push(ms);
      // Silence takes minutes, a pause between two tries at most one.
      if (ms > 100_000) return () => undefined;
      const timer = setTimeout(callback, 0);
      return () => clearTimeout(timer);
    },
  };
}
