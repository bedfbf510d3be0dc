import type { CancelSignal } from "@caliban/agent-core";
import type { Environment } from "@caliban/common";
import { createProcessGroup, type ProcessGroup } from "@caliban/common/node";

/** A command and how to run it. */
export interface CommandInput {
  readonly shell: string;
  readonly command: string;
  readonly directory: string;
  readonly env: Environment;
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly signal?: CancelSignal | undefined;
  /** Receives what the command prints, as it arrives. */
  readonly onOutput: (bytes: Buffer) => void;
}

/** The end of a command. */
export interface CommandEnd {
  /** The exit code of the shell. `undefined` if a signal ended it, or if it did not end. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** The reason why the command and everything it started was stopped. */
  readonly stopped: "time-limit" | "interrupted" | undefined;
}

/** The time that output may still arrive after the last process has ended. */
const DRAIN_MS = 1_000;

/**
 * Runs a command in its own process group, without standard input. It has ended when no process holds its output open
 * anymore, or when the group was killed.
 */
export async function runCommand(input: CommandInput): Promise<CommandEnd> {
  const { spawn } = await import("node:child_process");
  const { shell, command, directory, env, signal } = input;
  // Combines stdout and stderr, so that lines keep their order. The inner shell gets the command unchanged.
  const child = spawn(shell, ["-c", 'exec "$0" -c "$1" 2>&1', shell, command], {
    cwd: directory,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  });
  let ended: Pick<CommandEnd, "exitCode" | "signal"> = { exitCode: undefined, signal: undefined };
  child.stdout.on("data", input.onOutput);
  child.stderr.on("data", input.onOutput);
  const closed = new Promise<void>((resolve, reject) => {
    child.once("exit", (exitCode, by) => {
      ended = { exitCode: exitCode ?? undefined, signal: by ?? undefined };
    });
    child.once("close", () => resolve());
    child.once("error", reject);
  });
  const stopping = createStop(signal, input.timeoutMs);
  try {
    const stopped = await Promise.race([closed.then(() => undefined), stopping.reason]);
    if (stopped === undefined) return { ...ended, stopped };
    // From here on, we cause the exit code of the shell.
    const endedBefore = ended;
    await killGroup(createProcessGroup(child), { closed, graceMs: input.graceMs });
    // A process that left the group may hold the output open forever.
    child.stdout.destroy();
    child.stderr.destroy();
    return { ...endedBefore, stopped };
  } finally {
    stopping.release();
  }
}

interface Stop {
  readonly reason: Promise<"time-limit" | "interrupted">;
  readonly release: () => void;
}

function createStop(signal: CancelSignal | undefined, timeoutMs: number): Stop {
  const { promise: reason, resolve } = Promise.withResolvers<"time-limit" | "interrupted">();
  const interrupt = (): void => resolve("interrupted");
  const timer = setTimeout(() => resolve("time-limit"), timeoutMs);
  signal?.addEventListener("abort", interrupt);
  if (signal?.aborted === true) interrupt();
  return {
    reason,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
    },
  };
}

/** Asks the group to end, and kills it if it does not. */
async function killGroup(
  group: ProcessGroup,
  { closed, graceMs }: { readonly closed: Promise<void>; readonly graceMs: number },
): Promise<void> {
  group.signal("SIGTERM");
  if (!(await group.exitsWithin(graceMs))) group.signal("SIGKILL");
  // The last output may still be arriving.
  await Promise.race([closed, pause(DRAIN_MS)]);
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
