import { lostOutput, writeAtOnce } from "./startup.ts";

/** The stdout of the process. */
export interface Output {
  readonly write: (text: string) => void;
  /** Its stream. Opening it takes milliseconds, so that only a terminal and a full pipe need it. */
  readonly open: () => NodeJS.WriteStream;
  readonly isTerminal: () => boolean;
  /** Calls the listener, instead of ending the process, when no one reads the output any more. */
  readonly onLost: (listener: () => void) => () => void;
}

/** Takes everything from the process itself, because an older Node must be able to load this file. */
export function createOutput(machine: NodeJS.Process): Output {
  const listeners = new Set<() => void>();
  let isOpen = false;
  const open = (): NodeJS.WriteStream => {
    const { stdout } = machine;
    if (isOpen) return stdout;
    isOpen = true;
    stdout.on("error", (error) => {
      const { exitCode, message } = lostOutput(error);
      machine.stderr.write(message);
      machine.exitCode = exitCode;
      for (const listener of listeners) listener();
      // Others have work to finish first.
      if (listeners.size === 0 && stdout.listenerCount("error") === 1) machine.exit(exitCode);
    });
    return stdout;
  };
  const mayBeTerminal = once(() => mayBeTerminalOf(machine));
  return {
    open,
    isTerminal: () => mayBeTerminal() && open().isTTY,
    write: (text) => {
      // A terminal's stream waits where a write would fail.
      const isAtOnce = !isOpen && !mayBeTerminal();
      const left = isAtOnce ? writeAtOnce(text, machine.getBuiltinModule("node:fs")) : text;
      if (left.length > 0) open().write(left);
    },
    onLost: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A file, a pipe and /dev/null are not terminals. */
function mayBeTerminalOf(machine: NodeJS.Process): boolean {
  const { fstatSync, statSync } = machine.getBuiltinModule("node:fs");
  const stdout = fstatSync(1);
  const nothing = statSync("/dev/null", { throwIfNoEntry: false });
  return stdout.isCharacterDevice() && stdout.rdev !== nothing?.rdev;
}

function once(compute: () => boolean): () => boolean {
  let known: boolean | undefined;
  return () => (known ??= compute());
}
