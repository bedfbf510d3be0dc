import { SIGNAL_EXIT } from "../exit-code.ts";
import type { InterruptReason } from "../host.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The part of the process that is used. */
interface Interruptible {
  readonly on: (signal: (typeof SIGNALS)[number], listener: Listener) => unknown;
  readonly off: (signal: (typeof SIGNALS)[number], listener: Listener) => unknown;
  readonly exit: (code: number) => void;
  readonly stdout: {
    readonly on: (event: "error", listener: () => void) => unknown;
    readonly off: (event: "error", listener: () => void) => unknown;
  };
}

type Listener = (signal: (typeof SIGNALS)[number]) => void;

/**
 * Reports the first request to end: a signal, or lost output. Ending takes a moment, so a second signal ends the
 * process at once. Returns a function that stops listening.
 */
export function onInterrupt(
  machine: Interruptible,
  listener: (reason: InterruptReason) => void,
): () => void {
  let wasReported = false;
  const reportOnce = (reason: InterruptReason): void => {
    if (!wasReported) listener(reason);
    wasReported = true;
  };
  const onSignal: Listener = (signal) => {
    if (wasReported) machine.exit(SIGNAL_EXIT[signal]);
    reportOnce(signal);
  };
  const onLost = (): void => reportOnce("output-lost");
  for (const signal of SIGNALS) machine.on(signal, onSignal);
  machine.stdout.on("error", onLost);
  return () => {
    for (const signal of SIGNALS) machine.off(signal, onSignal);
    machine.stdout.off("error", onLost);
  };
}
