import type * as FileSystem from "node:fs";
import { lostOutput, mayBeTerminal, writeAtOnce } from "./startup.ts";

/** Stdout of the process. Its stream is opened only when it is needed, because that takes milliseconds. */
export interface Stdout {
  readonly open: () => NodeJS.WriteStream;
  readonly isTerminal: () => boolean;
  readonly write: (text: string) => void;
}

/**
 * Ends the process when no one reads its output any more. Loads nothing itself: an older Node must get as far as the message that it is too old.
 */
export function createStdout(machine: NodeJS.Process): Stdout {
  const fs = (): typeof FileSystem => machine.getBuiltinModule("node:fs");
  let stream: NodeJS.WriteStream | undefined;
  const open = (): NodeJS.WriteStream => (stream ??= openStdout(machine));
  return {
    open,
    isTerminal: () => (stream !== undefined || mayBeTerminal(fs())) && open().isTTY,
    write: (text) => {
      // What is written directly must not overtake what the stream still has.
      const left = stream === undefined && !mayBeTerminal(fs()) ? writeAtOnce(text, fs()) : text;
      if (left.length > 0) open().write(left);
    },
  };
}

function openStdout(machine: NodeJS.Process): NodeJS.WriteStream {
  const { stdout } = machine;
  stdout.on("error", (error) => {
    const { exitCode, message } = lostOutput(error);
    machine.stderr.write(message);
    machine.exitCode = exitCode;
    // Another listener has work to finish first.
    if (stdout.listenerCount("error") === 1) machine.exit(exitCode);
  });
  return stdout;
}
