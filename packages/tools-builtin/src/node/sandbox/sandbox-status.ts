import { readFileSync } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "@caliban/common/node";

/** What bubblewrap reports about a command. */
export interface SandboxStatus {
  /** Whether the sandbox ended without having run the command to its end. */
  readonly hasFailed: () => boolean;
  /** Resolves when every process in the sandbox is gone. */
  readonly gone: () => Promise<void>;
}

const POLL_MS = 1;
/** A process in an uninterruptible system call cannot be killed at all. */
const MAX_POLLS = 2_000;

const NO_SANDBOX: SandboxStatus = { hasFailed: () => false, gone: async () => undefined };

/** Follows the status of a sandbox. A command without one has no such stream. */
export function followStatus(stream: Readable | Writable | null | undefined): SandboxStatus {
  if (!(stream instanceof Readable)) return NO_SANDBOX;
  let reported = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    reported += chunk;
  });
  stream.on("error", () => undefined);
  return {
    hasFailed: () => !reported.includes('"exit-code"'),
    gone: async () => {
      // The first process of the sandbox is the last one to go.
      const pid = /"child-pid": *(\d+)/.exec(reported)?.[1];
      if (pid === undefined) return;
      for (let polls = 0; isAlive(pid) && polls < MAX_POLLS; polls++) await pause(POLL_MS);
    },
  };
}

/** A zombie has ended; only its number is left. */
function isAlive(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
