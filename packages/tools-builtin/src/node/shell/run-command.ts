import type { CancelSignal } from "@caliban/agent-core";
import type { Environment } from "@caliban/common";
import { createProcessGroup, type ProcessGroup } from "@caliban/common/node";

/** A command, and how it is to be run. */
export interface CommandInput {
  readonly shell: string;
  readonly command: string;
  readonly directory: string;
  readonly env: Environment;
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly signal?: CancelSignal | undefined;
  /** Gets what the command prints, as it comes. */
  readonly onOutput: (bytes: Buffer) => void;
}

/** How a command ended. */
export interface CommandEnd {
  /** Of the shell itself; `undefined` when a signal ended it, or when it did not end. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Why it and everything it started was ended from here. */
  readonly stopped: "time-limit" | "interrupted" | undefined;
}

/** From the end of the last process to the end of its output. */
const CLOSING_MS = 1_000;

/**
 * Runs a command in a process group of its own, with nothing to read. It has ended when nobody holds its output any
 * more, or when the group was killed.
 */
export async function runCommand(input: CommandInput): Promise<CommandEnd> {
  const { spawn } = await import("node:child_process");
  const { shell, command, directory, env, signal } = input;
  // Both outputs are one, so that lines keep their order; the inner shell sees the command as it is.
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
    // How the shell ends from now on is our own doing.
    const endedBefore = ended;
    await killGroup(createProcessGroup(child), { closed, graceMs: input.graceMs });
    // Whoever left the group may hold the output for ever.
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

function createStop(signal: CancelSignal | undefined, limitMs: number): Stop {
  const { promise: reason, resolve } = Promise.withResolvers<"time-limit" | "interrupted">();
  const interrupt = (): void => resolve("interrupted");
  const timer = setTimeout(() => resolve("time-limit"), limitMs);
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

/** Asks the group to end, and ends it when it does not. */
async function killGroup(
  group: ProcessGroup,
  { closed, graceMs }: { readonly closed: Promise<void>; readonly graceMs: number },
): Promise<void> {
  group.signal("SIGTERM");
  if (!(await group.exitsWithin(graceMs))) group.signal("SIGKILL");
  // What was printed until then is still on its way.
  await Promise.race([closed, pause(CLOSING_MS)]);
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
