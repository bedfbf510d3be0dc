import type { Clock } from "../../src/clock.ts";

export interface ManualClock extends Clock {
  /** Advances the time and runs the timers that are due, in order. */
  readonly pass: (ms: number) => void;
  /** The length of each wait that was requested. */
  readonly waits: readonly number[];
}

/** A clock that only moves when a test advances it. */
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

/** A clock on which short waits end at once, so that tests do not have to sit through retries. */
export function hastyClock(): Clock & { readonly waits: readonly number[] } {
  const waits: number[] = [];
  return {
    waits,
    nowMs: () => 0,
    after: (ms, callback) => {
      waits.push(ms);
      // Idle timeouts take minutes and never end here. A pause between two attempts takes at most one minute.
      if (ms > 100_000) return () => undefined;
      const timer = setTimeout(callback, 0);
      return () => clearTimeout(timer);
    },
  };
}

/** Lets everything run that does not wait for a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
}
