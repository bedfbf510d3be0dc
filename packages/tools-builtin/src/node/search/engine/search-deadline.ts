import type { SearchRequest } from "./search-request.ts";

/** The reason why a search stopped early. */
type StopReason = "time-limit" | "interrupted";

/** Tells when a search has to stop. */
export interface SearchDeadline {
  readonly reached: Promise<StopReason>;
  readonly stopped: () => StopReason | undefined;
  readonly release: () => void;
}

/** Starts the clock. `onStop` ends the work when the time is up or the user interrupts. */
export function createSearchDeadline(
  { timeoutMs, signal }: Pick<SearchRequest, "timeoutMs" | "signal">,
  onStop: () => void,
): SearchDeadline {
  let stopped: StopReason | undefined;
  const { promise: reached, resolve } = Promise.withResolvers<StopReason>();
  const stop = (reason: StopReason): void => {
    stopped ??= reason;
    resolve(reason);
    onStop();
  };
  const timer = setTimeout(() => stop("time-limit"), timeoutMs);
  const interrupt = (): void => stop("interrupted");
  signal?.addEventListener("abort", interrupt);
  if (signal?.aborted === true) interrupt();
  return {
    reached,
    stopped: () => stopped,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
    },
  };
}
