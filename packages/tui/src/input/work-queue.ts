interface WorkQueueInput<Item> {
  readonly handle: (item: Item) => Promise<void>;
  /** Called with the waiting items whenever they change. */
  readonly onWaiting: (items: readonly Item[]) => void;
  /** Called after each item. */
  readonly onDone: () => void;
}

/** Work that is done one item at a time. */
export interface WorkQueue<Item> {
  readonly isBusy: () => boolean;
  /** Resolves when nothing is left to do; immediately when the item has to wait. */
  readonly add: (item: Item) => Promise<void>;
  /** Removes and returns the waiting items up to the first one that does not match. */
  readonly takeWaiting: (matches?: (item: Item) => boolean) => readonly Item[];
}

/** Handles one item at a time; items added meanwhile wait. */
export function createWorkQueue<Item>(input: WorkQueueInput<Item>): WorkQueue<Item> {
  const { handle, onWaiting, onDone } = input;
  let waiting: readonly Item[] = [];
  let isBusy = false;
  const setWaiting = (items: readonly Item[]): void => {
    waiting = items;
    onWaiting(items);
  };
  const work = async (first: Item): Promise<void> => {
    await handle(first);
    onDone();
    const [next, ...rest] = waiting;
    if (next === undefined) return;
    setWaiting(rest);
    await work(next);
  };
  return {
    isBusy: () => isBusy,
    add: async (item) => {
      if (isBusy) return setWaiting([...waiting, item]);
      isBusy = true;
      try {
        await work(item);
      } finally {
        isBusy = false;
      }
    },
    takeWaiting: (matches = () => true) => {
      const end = waiting.findIndex((item) => !matches(item));
      const taken = end === -1 ? waiting : waiting.slice(0, end);
      if (taken.length > 0) setWaiting(waiting.slice(taken.length));
      return taken;
    },
  };
}
