/** What of the process is used. */
interface Warned {
  readonly listeners: (event: "warning") => readonly unknown[];
  readonly removeAllListeners: (event: "warning") => unknown;
  readonly on: (event: "warning", listener: (warning: Error) => void) => unknown;
}

/**
 * Keeps from the person what Node says of its own parts, such as its database in older versions: there is nothing they could
 * do about it, and it would stand in the middle of the screen. Other warnings go where they went.
 */
export function ignoreExperimentalWarnings(machine: Warned): void {
  const tellers = machine.listeners("warning");
  machine.removeAllListeners("warning");
  machine.on("warning", (warning) => {
    if (warning.name === "ExperimentalWarning") return;
    for (const tell of tellers)
      if (typeof tell === "function") Reflect.apply(tell, machine, [warning]);
  });
}
