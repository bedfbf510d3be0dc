/** Runs an action after every action handed in before it has settled. */
export type Queue = <Result>(action: () => Result | Promise<Result>) => Promise<Result>;

/**
 * Creates a serial queue. A failed action rejects only its own promise; the next one runs regardless.
 *
 * @example
 * const enqueue = createQueue();
 * const [first, second] = await Promise.all([enqueue(() => 1), enqueue(async () => 2)]);
 */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (action) => {
    const result = last.then(action);
    last = result.catch(() => undefined);
    return result;
  };
}

/** A serial queue whose running action can be interrupted. */
export interface InterruptibleQueue {
  readonly run: <Result>(action: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;
  /** Aborts the running action; false when there is none. */
  readonly interrupt: () => boolean;
}

/** Creates a serial queue that gives each action a signal of its own. */
export function createInterruptibleQueue(): InterruptibleQueue {
  const enqueue = createQueue();
  let running: AbortController | undefined;
  return {
    run: async (action) =>
      await enqueue(async () => {
        running = new AbortController();
        try {
          return await action(running.signal);
        } finally {
          running = undefined;
        }
      }),
    interrupt: () => {
      running?.abort();
      return running !== undefined;
    },
  };
}
