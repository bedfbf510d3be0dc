import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname } from "node:path";

export interface WatchInput {
  /** They need not be there yet. */
  readonly directories: readonly string[];
  readonly onChange: () => void;
  /** Told once when the system watches nothing for us, and we look again and again instead. */
  readonly onPolling: (reason: string) => void;
  /** What watches one directory; that of the system when left out. */
  readonly watchOne?: WatchOne | undefined;
}

/** What of `fs.watch` is used. */
export type WatchOne = (path: string, onEvent: () => void) => Pick<FSWatcher, "close" | "on">;

function watchBySystem(path: string, onEvent: () => void): FSWatcher {
  return watch(path, { persistent: false }, onEvent);
}

/** Several events are one change to whoever hears of it. */
const GATHER_MS = 100;
const POLL_MS = 2_000;

/** Tells when something in one of the directories may have changed. Gives back how to stop. */
export function watchDirectories(input: WatchInput): () => void {
  const { directories, onChange, onPolling, watchOne = watchBySystem } = input;
  let timer: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = (): void => {
    timer = undefined;
    for (const place of places) place.follow();
    onChange();
  };
  const gather = (): void => {
    if (!isStopped) timer ??= setTimeout(look, GATHER_MS).unref();
  };
  const pollInstead = (reason: string): void => {
    if (poll !== undefined || isStopped) return;
    poll = setInterval(gather, POLL_MS).unref();
    onPolling(reason);
  };
  const places = directories.map((path) =>
    watchPlace(path, { watchOne, onEvent: gather, onFailure: pollInstead }),
  );
  return () => {
    isStopped = true;
    clearTimeout(timer);
    clearInterval(poll);
    for (const place of places) place.stop();
  };
}

interface WatchedPlace {
  /** Watches what is there now: the directory itself, or the nearest one above it that there is. */
  readonly follow: () => void;
  readonly stop: () => void;
}

interface PlaceInput {
  readonly watchOne: WatchOne;
  readonly onEvent: () => void;
  readonly onFailure: (reason: string) => void;
}

function watchPlace(path: string, { watchOne, onEvent, onFailure }: PlaceInput): WatchedPlace {
  let watcher: ReturnType<WatchOne> | undefined;
  let watched: string | undefined;
  const stop = (): void => {
    watcher?.close();
    watcher = undefined;
    watched = undefined;
  };
  const fail = (error: unknown): void => {
    stop();
    if (!(error instanceof Error)) throw error;
    onFailure("code" in error ? String(error.code) : error.message);
  };
  const follow = (): void => {
    // A directory that was replaced has the same path and is another one.
    for (let next = nearest(path); next.sign !== watched; next = nearest(path)) {
      stop();
      try {
        watcher = watchOne(next.path, onEvent);
        watcher.on("error", fail);
      } catch (error) {
        return fail(error);
      }
      watched = next.sign;
      onEvent();
    }
  };
  follow();
  return { follow, stop };
}

function nearest(path: string): { readonly path: string; readonly sign: string } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return { path, sign: `${stats.dev}:${stats.ino}:${path}` };
  const above = dirname(path);
  return above === path ? { path, sign: path } : nearest(above);
}
