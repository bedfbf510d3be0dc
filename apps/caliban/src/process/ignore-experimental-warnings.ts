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
