import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname } from "node:path";

export interface WatchInput {
  /** They need not exist yet. */
  readonly directories: readonly string[];
  readonly onChange: () => void;
  /** Called once if the system cannot watch and the directories are polled instead. */
  readonly onPolling: (reason: string) => void;
  /** Watches one directory; `fs.watch` by default. */
  readonly watchOne?: WatchOne | undefined;
}

/** The part of `fs.watch` that is used, spelled out so that the type needs no platform library. */
export type WatchOne = (path: string, onEvent: () => void) => WatchHandle;

interface WatchHandle {
  readonly close: () => void;
  readonly on: (event: "error", listener: (error: Error) => void) => unknown;
}

/** Several events close together are reported as one change. */
const COLLECT_MS = 100;
const POLL_MS = 2_000;

/** Reports when something in one of the directories may have changed. Returns how to stop. */
export function watchDirectories(input: WatchInput): () => void {
  const { directories, onChange, onPolling, watchOne = watchBySystem } = input;
  let timer: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let isStopped = false;
  const report = (): void => {
    timer = undefined;
    for (const watcher of watchers) watcher.follow();
    onChange();
  };
  const collect = (): void => {
    if (!isStopped) timer ??= setTimeout(report, COLLECT_MS).unref();
  };
  const pollInstead = (reason: string): void => {
    if (poll !== undefined || isStopped) return;
    poll = setInterval(collect, POLL_MS).unref();
    onPolling(reason);
  };
  const watchers = directories.map((path) =>
    watchDirectory(path, { watchOne, onEvent: collect, onFailure: pollInstead }),
  );
  return () => {
    isStopped = true;
    clearTimeout(timer);
    clearInterval(poll);
    for (const watcher of watchers) watcher.stop();
  };
}

function watchBySystem(path: string, onEvent: () => void): FSWatcher {
  return watch(path, { persistent: false }, onEvent);
}

interface DirectoryWatcher {
  /** Watches the directory, or its nearest existing ancestor. */
  readonly follow: () => void;
  readonly stop: () => void;
}

interface DirectoryWatcherInput {
  readonly watchOne: WatchOne;
  readonly onEvent: () => void;
  readonly onFailure: (reason: string) => void;
}

function watchDirectory(path: string, input: DirectoryWatcherInput): DirectoryWatcher {
  const { watchOne, onEvent, onFailure } = input;
  let watcher: ReturnType<WatchOne> | undefined;
  let watchedIdentity: string | undefined;
  const stop = (): void => {
    watcher?.close();
    watcher = undefined;
    watchedIdentity = undefined;
  };
  const fail = (error: unknown): void => {
    stop();
    if (!(error instanceof Error)) throw error;
    onFailure("code" in error ? String(error.code) : error.message);
  };
  const follow = (): void => {
    // A directory that was replaced has the same path, but another identity.
    for (let next = nearestExisting(path); next.identity !== watchedIdentity;) {
      stop();
      try {
        watcher = watchOne(next.path, onEvent);
        watcher.on("error", fail);
      } catch (error) {
        return fail(error);
      }
      watchedIdentity = next.identity;
      onEvent();
      next = nearestExisting(path);
    }
  };
  follow();
  return { follow, stop };
}

function nearestExisting(path: string): { readonly path: string; readonly identity: string } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return { path, identity: `${stats.dev}:${stats.ino}:${path}` };
  const parent = dirname(path);
  return parent === path ? { path, identity: path } : nearestExisting(parent);
}
