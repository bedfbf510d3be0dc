import type { ChildProcess } from "node:child_process";
import { errorCode, hasCode } from "./error-code.ts";

const POLL_MS = 20;

/** A process that leads its own process group, and every process it started. */
export interface ProcessGroup {
  /** Waits until all of them have exited; false when some are still running after that time. */
  readonly exitsWithin: (milliseconds: number) => Promise<boolean>;
  /** Whether a process was left to receive it. */
  readonly signal: (signal: "SIGTERM" | "SIGKILL") => boolean;
}

/** Sends a signal; 0 only checks whether the process exists. Throws the system's error. */
type SendSignal = (pid: number, signal: "SIGTERM" | "SIGKILL" | 0) => boolean;

/** Never signals a group that is gone, because its number may have been reused. */
export function createProcessGroup(
  { pid }: Pick<ChildProcess, "pid">,
  sendSignal: SendSignal = sendBySystem,
): ProcessGroup {
  let isGone = pid === undefined;
  const send = (signal: "SIGTERM" | "SIGKILL" | 0): boolean => {
    if (isGone || pid === undefined) return false;
    isGone = !exists(() => sendSignal(-pid, signal));
    return !isGone;
  };
  return {
    signal: send,
    exitsWithin: async (milliseconds) => {
      for (let waited = 0; send(0); waited += POLL_MS) {
        if (waited >= milliseconds) return false;
        await pause(POLL_MS); // Polling until the group has exited.
      }
      return true;
    },
  };
}

function exists(send: () => boolean): boolean {
  try {
    return send();
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
    // EPERM: the group exists, but belongs to another user.
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
