/** What ends with the prompt that runs now. */
export interface RunningTurn {
  readonly begin: () => AbortSignal;
  readonly abort: () => void;
  readonly end: () => void;
  /** `undefined` while no prompt runs. */
  readonly signal: () => AbortSignal | undefined;
  /** Calls back when the prompt is cancelled; returns how to stop listening. */
  readonly onAbort: (listener: () => void) => () => void;
}

export function createRunningTurn(): RunningTurn {
  let controller: AbortController | undefined;
  return {
    begin: () => {
      controller = new AbortController();
      return controller.signal;
    },
    abort: () => controller?.abort(),
    end: () => {
      controller = undefined;
    },
    signal: () => controller?.signal,
    onAbort: (listener) => {
      const { signal } = controller ?? {};
      signal?.addEventListener("abort", listener);
      return () => signal?.removeEventListener("abort", listener);
    },
  };
}
