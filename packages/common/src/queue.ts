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
