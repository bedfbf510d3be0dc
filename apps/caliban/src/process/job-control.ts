import { setImmediate, setTimeout } from "node:timers/promises";

/** The part of the process that is used. */
interface Stoppable {
  readonly kill: (pid: number, signal: "SIGTSTP") => unknown;
  readonly on: (signal: "SIGCONT", listener: () => void) => unknown;
  readonly off: (signal: "SIGCONT", listener: () => void) => unknown;
}

/** Long enough for the signal to arrive. A process that it stops does not notice how long it waited. */
const STOP_MS = 100;

/**
 * Stops the job that this process belongs to, as the terminal does for Ctrl-Z, and returns when it runs again. Returns
 * false if it was not stopped: the system ignores the request when no shell could continue the job.
 */
export async function stopJob(machine: Stoppable): Promise<boolean> {
  let isContinued = false;
  const onContinue = (): void => {
    isContinued = true;
  };
  machine.on("SIGCONT", onContinue);
  try {
    // Zero is the process group. In a pipeline, or under npm, the shell waits until all of it has stopped.
    machine.kill(0, "SIGTSTP");
    await setTimeout(STOP_MS);
    // The timer may be served before the signal.
    await setImmediate();
    return isContinued;
  } finally {
    machine.off("SIGCONT", onContinue);
  }
}
