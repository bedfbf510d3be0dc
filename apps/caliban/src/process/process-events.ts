import { SIGNAL_EXIT } from "../exit-code.ts";
import type { InterruptReason } from "../host.ts";
import type { Output } from "./output.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The part of the process that is used. */
interface Interruptible {
  readonly on: (signal: (typeof SIGNALS)[number], listener: Listener) => unknown;
  readonly off: (signal: (typeof SIGNALS)[number], listener: Listener) => unknown;
  readonly exit: (code: number) => void;
}

type Listener = (signal: (typeof SIGNALS)[number]) => void;

/**
 * Reports the first request to end: a signal, or lost output. Ending takes a moment, so a second signal ends the
 * process at once. Returns a function that stops listening.
 */
export function onInterrupt(
  machine: Interruptible,
  output: Pick<Output, "onLost">,
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
  for (const signal of SIGNALS) machine.on(signal, onSignal);
  const release = output.onLost(() => reportOnce("output-lost"));
  return () => {
    for (const signal of SIGNALS) machine.off(signal, onSignal);
    release();
  };
}

/** The part of the process that is used. */
interface WarningSource {
  readonly listeners: (event: "warning") => readonly unknown[];
  readonly removeAllListeners: (event: "warning") => unknown;
  readonly on: (event: "warning", listener: (warning: Error) => void) => unknown;
}

/**
 * Drops warnings about experimental parts of Node, such as its database in older versions: the user can do nothing
 * about them, and they would appear in the middle of the screen. Other warnings are handled as before.
 */
export function ignoreExperimentalWarnings(machine: WarningSource): void {
  const listeners = machine.listeners("warning");
  machine.removeAllListeners("warning");
  machine.on("warning", (warning) => {
    if (warning.name === "ExperimentalWarning") return;
    for (const listener of listeners)
      if (typeof listener === "function") Reflect.apply(listener, machine, [warning]);
  });
}
