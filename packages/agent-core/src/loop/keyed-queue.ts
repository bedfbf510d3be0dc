/** Actions with the same key happen one after the other, in the order in which they were handed in. */
export interface Turns {
  readonly take: <Result>(key: string, action: () => Promise<Result>) => Promise<Result>;
}

/** An action that fails ends its turn like any other: its caller hears of it, the next one begins. */
export function createTurns(): Turns {
  const lastOf = new Map<string, Promise<unknown>>();
  return {
    take: async (key, action) => {
      const turn = afterwards(lastOf.get(key), action);
      lastOf.set(key, turn);
      try {
        return await turn;
      } finally {
        // Whoever came later stands in its place, and a key nobody waits for is not kept.
        if (lastOf.get(key) === turn) lastOf.delete(key);
      }
    },
  };
}

async function afterwards<Result>(
  before: Promise<unknown> | undefined,
  action: () => Promise<Result>,
): Promise<Result> {
  await Promise.allSettled([before]);
  return await action();
}
