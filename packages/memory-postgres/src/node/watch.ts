import { isPostgresFailure, toMemoryError } from "../postgres-failure.ts";
import type { Connection } from "./connection.ts";

export interface Watching {
  readonly watch: (onChange: () => void) => Promise<() => Promise<void>>;
  /** Stops all watchers. */
  readonly stop: () => void;
}

/** Listens on one connection for all watchers of a backend, as long as there are any. */
export function createWatching(connection: Pick<Connection, "open">, channel: string): Watching {
  const watchers = new Set<{ readonly onChange: () => void }>();
  let listener: Listener | undefined;
  const notify = (): void => {
    for (const { onChange } of watchers) onChange();
  };
  const stop = (): void => {
    watchers.clear();
    listener?.stop();
    listener = undefined;
  };
  return {
    watch: async (onChange) => {
      const watcher = { onChange };
      watchers.add(watcher);
      listener ??= createListener({ connection, channel, notify });
      const current = listener;
      try {
        await current.started;
      } catch (error) {
        watchers.delete(watcher);
        if (listener === current) listener = undefined;
        throw isPostgresFailure(error) ? toMemoryError(error) : error;
      }
      return async () => {
        watchers.delete(watcher);
        if (watchers.size === 0) stop();
      };
    },
    stop,
  };
}

interface Listener {
  readonly started: Promise<void>;
  readonly stop: () => void;
}

interface ListenerInput {
  readonly connection: Pick<Connection, "open">;
  readonly channel: string;
  readonly notify: () => void;
}

const MAX_DELAY_MS = 5000;

/** Connects again whenever the connection ends. */
function createListener(input: ListenerInput): Listener {
  let isStopped = false;
  let closeCurrent: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const start = async (): Promise<void> => {
    const close = await listen(input, reconnect);
    if (isStopped) close();
    else closeCurrent = close;
  };
  const reconnect = (attempt = 0): void => {
    closeCurrent = undefined;
    if (isStopped) return;
    timer = setTimeout(
      () => {
        // Changes may have been missed.
        start().then(input.notify, () => reconnect(attempt + 1));
      },
      Math.min(MAX_DELAY_MS, 50 * 2 ** attempt),
    );
  };
  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
    closeCurrent?.();
  };
  return { started: start(), stop };
}

/** Calls `notify` for every announcement until the returned function is called, and `onLost` if the connection ends before. */
async function listen(
  { connection, channel, notify }: ListenerInput,
  onLost: () => void,
): Promise<() => void> {
  const { client, query } = await connection.open();
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    client.removeListener("notification", notify);
    // Closed, so that no other user of the pool gets announcements. Late errors still find a listener.
    client.release(true);
  };
  const lost = (): void => {
    if (!isOpen) return;
    close();
    onLost();
  };
  client.on("notification", notify);
  client.on("error", lost);
  client.on("end", lost);
  try {
    await query(`LISTEN ${channel}`);
  } catch (error) {
    close();
    throw error;
  }
  return close;
}
