import { isMemoryError } from "@caliban/memory";
import { listResources } from "./resource-list.ts";
import type { ServedMemory } from "../served-memory.ts";

/** A client that is notified of changes. */
interface ChangeListener {
  /** Resources were added or removed. */
  readonly onListChange: () => Promise<void>;
  /** Something may have changed. */
  readonly onChange: () => Promise<void>;
  /** Whether it waits for changes that nothing watches, such as those of instruction files. */
  readonly needsPolling: () => boolean;
}

/** Notifies all clients of changes by any process. */
export interface ChangeNotifier {
  /** Returns how to remove the listener. */
  readonly add: (listener: ChangeListener) => () => void;
  readonly stop: () => void;
}

export interface ChangeNotifierInput {
  readonly memory: ServedMemory;
  readonly report: (message: string) => void;
}

const POLL_MS = 2_000;

/** Watches only while there is a listener. */
export function createChangeNotifier({ memory, report }: ChangeNotifierInput): ChangeNotifier {
  const listeners = new Set<ChangeListener>();
  let unwatch: (() => void) | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let known: Promise<string> | undefined;
  const notifyAll = async (): Promise<void> => {
    const before = await known;
    known = listFingerprint(memory);
    const isListChanged = (await known) !== before;
    for (const { onListChange, onChange } of listeners) {
      if (isListChanged) await onListChange();
      await onChange();
    }
  };
  const check = createRerunner(notifyAll, (error) =>
    report(`cannot report changes: ${String(error)}`),
  );
  const stop = (): void => {
    unwatch?.();
    clearInterval(timer);
    [unwatch, timer, known] = [undefined, undefined, undefined];
    listeners.clear();
  };
  return {
    add: (listener) => {
      listeners.add(listener);
      known ??= listFingerprint(memory);
      unwatch ??= memory.watch?.({
        onChange: check,
        onPolling: (reason) =>
          report(`cannot watch memory (${reason}); checking every 2 seconds instead`),
      });
      timer ??= unreferenced(
        setInterval(() => {
          if ([...listeners].some(({ needsPolling }) => needsPolling())) check();
        }, POLL_MS),
      );
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    stop,
  };
}

/** Runs an action, and once more if it was requested again while it ran. */
function createRerunner(
  action: () => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let isRequested = false;
  let isRunning = false;
  const runWhileRequested = async (): Promise<void> => {
    try {
      while (isRequested) {
        isRequested = false;
        // A change in the meantime needs another run.
        await action();
      }
    } finally {
      isRunning = false;
    }
  };
  return () => {
    isRequested = true;
    if (isRunning) return;
    isRunning = true;
    runWhileRequested().catch(onError);
  };
}

/** Only Node has timers that can keep a process alive. */
function unreferenced<Timer>(timer: Timer): Timer {
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    if (typeof timer.unref === "function") timer.unref();
  }
  return timer;
}

/** A list that cannot be read has a fingerprint, too, because the next one may differ. */
async function listFingerprint(memory: ServedMemory): Promise<string> {
  try {
    const resources = await listResources(memory);
    return resources.map(({ uri }) => uri).join("\n");
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return error.code;
  }
}
