import { createQueue, type Queue } from "@caliban/common";

/** Runs actions with the same key one after another, in the order in which they were added. */
export interface KeyedQueue {
  readonly run: <Result>(key: string, action: () => Promise<Result>) => Promise<Result>;
}

/** Creates an empty queue. A failed action rejects only its own promise; the next one runs regardless. */
export function createKeyedQueue(): KeyedQueue {
  const queues = new Map<string, { readonly enqueue: Queue; pending: number }>();
  return {
    run: async (key, action) => {
      const queue = queues.get(key) ?? { enqueue: createQueue(), pending: 0 };
      queues.set(key, queue);
      queue.pending += 1;
      try {
        return await queue.enqueue(action);
      } finally {
        queue.pending -= 1;
        // An idle key is dropped, so that a long session does not accumulate them.
        if (queue.pending === 0) queues.delete(key);
      }
    },
  };
}
