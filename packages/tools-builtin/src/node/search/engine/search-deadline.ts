import type { SearchRequest } from "./search-request.ts";

/** What stops a search before its end: its time, or the person. */
type Stopped = "time-limit" | "interrupted";

/** Knows when a search has to stop. */
export interface SearchDeadline {
  readonly over: Promise<Stopped>;
  readonly stopped: () => Stopped | undefined;
  readonly release: () => void;
}

/** Begins to run at once. `onStop` ends what does the work. */
export function createSearchDeadline(
  { timeoutMs: limitMs, signal }: Pick<SearchRequest, "limitMs" | "signal">,
  onStop: () => void,
): SearchDeadline {
  let stopped: Stopped | undefined;
  const { promise: over, resolve } = Promise.withResolvers<Stopped>();
  const stop = (reason: Stopped): void => {
    stopped ??= reason;
    resolve(reason);
    onStop();
  };
  const timer = setTimeout(() => stop("time-limit"), limitMs);
  const interrupt = (): void => stop("interrupted");
  signal?.addEventListener("abort", interrupt);
  if (signal?.aborted === true) interrupt();
  return {
    over,
    stopped: () => stopped,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
    },
  };
}
