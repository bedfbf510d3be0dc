import { SIGNAL_EXIT } from "../exit-code.ts";
import type { InterruptReason } from "../host.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What of the process is used. */
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
 * Tells of the first wish to end, by a signal or because nobody reads stdout. What it asks for takes a moment; whoever
 * asks by a second signal does not want to wait. Gives back how to stop listening.
 */
export function onInterrupt(
  machine: Interruptible,
  listener: (reason: InterruptReason) => void,
): () => void {
  let wasTold = false;
  const tellOnce = (reason: InterruptReason): void => {
    if (!wasTold) listener(reason);
    wasTold = true;
  };
  const onSignal: Listener = (signal) => {
    if (wasTold) machine.exit(SIGNAL_EXIT[signal]);
    tellOnce(signal);
  };
  const onLost = (): void => tellOnce("output-lost");
  for (const signal of SIGNALS) machine.on(signal, onSignal);
  machine.stdout.on("error", onLost);
  return () => {
    for (const signal of SIGNALS) machine.off(signal, onSignal);
    machine.stdout.off("error", onLost);
  };
}
