interface WorkQueueInput {
  readonly handle: (text: string) => Promise<void>;
  /** Told what waits, whenever it changes. */
  readonly onWaiting: (texts: readonly string[]) => void;
  /** Told after each piece of work. */
  readonly onDone: () => void;
}

/** What is to be done, one after the other. */
export interface WorkQueue {
  readonly isBusy: () => boolean;
  /** Settles when there is nothing left to do; at once when it has to wait. */
  readonly add: (text: string) => Promise<void>;
  /** Takes back what waits. */
  readonly takeWaiting: () => readonly string[];
}

/** One thing at a time: what is added while something is done waits for its end. */
export function createWorkQueue({ handle, onWaiting, onDone }: WorkQueueInput): WorkQueue {
  let waiting: readonly string[] = [];
  let isBusy = false;
  const setWaiting = (texts: readonly string[]): void => {
    waiting = texts;
    onWaiting(texts);
  };
  const work = async (first: string): Promise<void> => {
    await handle(first);
    onDone();
    const [next, ...rest] = waiting;
    if (next === undefined) return;
    setWaiting(rest);
    await work(next);
  };
  return {
    isBusy: () => isBusy,
    add: async (text) => {
      if (isBusy) return setWaiting([...waiting, text]);
      isBusy = true;
      try {
        await work(text);
      } finally {
        isBusy = false;
      }
    },
    takeWaiting: () => {
      const taken = waiting;
      if (taken.length > 0) setWaiting([]);
      return taken;
    },
  };
}
