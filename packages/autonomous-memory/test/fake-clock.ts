import type { Clock } from "../src/run/clock.ts";

export interface FakeClock extends Clock {
  /** Advances the time and runs the callbacks that are due, in order. */
  readonly pass: (ms: number) => void;
  /** The number of pending callbacks. */
  readonly waiting: () => number;
}

/** A clock that only advances in `pass`. */
export function fakeClock(startMs: number = Date.parse("2026-11-16T12:00:00Z")): FakeClock {
  let now = startMs;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  return {
    nowMs: () => now,
    after: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers = [...timers, timer].toSorted((a, b) => a.at - b.at);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    pass: (ms) => {
      const end = now + ms;
      for (let [next] = timers; next !== undefined && next.at <= end; [next] = timers) {
        timers = timers.slice(1);
        now = next.at;
        next.callback();
      }
      now = end;
    },
    waiting: () => timers.length,
  };
}
