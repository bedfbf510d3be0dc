import type { ChildProcess } from "node:child_process";
import { errorCode, hasCode } from "./error-code.ts";

const POLL_MS = 20;

/** A process that leads a group of its own, and whatever it started. */
export interface ProcessGroup {
  /** Waits for the end of all of them; false when some are still there after that time. */
  readonly endsWithin: (milliseconds: number) => Promise<boolean>;
  /** Whether there was anybody to get it. */
  readonly signal: (signal: "SIGTERM" | "SIGKILL") => boolean;
}

/** How a signal is sent, with 0 to ask who is there. It throws what the system says. */
type SendSignal = (pid: number, signal: "SIGTERM" | "SIGKILL" | 0) => boolean;

/** Once the group is gone its number may be another's, and nothing is sent to it any more. */
export function createProcessGroup(
  { pid }: Pick<ChildProcess, "pid">,
  sendSignal: SendSignal = sendBySystem,
): ProcessGroup {
  let isGone = pid === undefined;
  const send = (signal: "SIGTERM" | "SIGKILL" | 0): boolean => {
    if (isGone || pid === undefined) return false;
    isGone = !isThere(() => sendSignal(-pid, signal));
    return !isGone;
  };
  return {
    signal: send,
    endsWithin: async (milliseconds) => {
      for (let waited = 0; send(0); waited += POLL_MS) {
        if (waited >= milliseconds) return false;
        await pause(POLL_MS); // oxlint-disable-line no-await-in-loop -- it ends when the group does
      }
      return true;
    },
  };
}

function isThere(send: () => boolean): boolean {
  try {
    return send();
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
    // What belongs to somebody else is there, and cannot be ended from here.
    if (errorCode(error) === undefined) throw error;
    return true;
  }
}

function sendBySystem(...[pid, signal]: Parameters<SendSignal>): boolean {
  // oxlint-disable-next-line no-restricted-globals -- only the process can signal another one
  return process.kill(pid, signal);
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
