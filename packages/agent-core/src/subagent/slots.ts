/** Runs a limited number of actions at the same time; others wait in the order in which they came. */
export interface Slots {
  readonly isFull: () => boolean;
  readonly run: <Result>(action: () => Promise<Result>) => Promise<Result>;
}

export function createSlots(max: number): Slots {
  let running = 0;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    // The slot is handed on, so that no one can take it in between.
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    isFull: () => running >= max,
    run: async (action) => {
      if (running < max) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await action();
      } finally {
        release();
      }
    },
  };
}
