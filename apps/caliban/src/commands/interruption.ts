import { EXIT, type ExitCode, SIGNAL_EXIT } from "../exit-code.ts";
import type { Host, InterruptReason } from "../host.ts";

/** A request to end the run early. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves with the request. */
  readonly ended: Promise<void>;
  readonly reason: () => InterruptReason | undefined;
  /** `undefined` as long as there is no such request. */
  readonly exitCode: () => ExitCode | undefined;
  readonly stop: () => void;
}

/** Listens from before anything is opened, so that no request to end is missed. */
export function listenForInterrupt({ onInterrupt }: Pick<Host, "onInterrupt">): Interruption {
  const controller = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let received: InterruptReason | undefined;
  const stop = onInterrupt((reason) => {
    received = reason;
    controller.abort();
    resolve();
  });
  return {
    signal: controller.signal,
    ended,
    reason: () => received,
    // The reader that closed the pipe has read enough.
    exitCode: () => received && (received === "output-lost" ? EXIT.done : SIGNAL_EXIT[received]),
    stop,
  };
}
