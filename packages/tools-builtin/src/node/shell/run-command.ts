import { closeSync, existsSync, openSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { CancelSignal } from "@caliban/agent-core";
import type { Environment } from "@caliban/common";
import { coverDescriptors, createProcessGroup, type ProcessGroup } from "@caliban/common/node";
import { STATUS_DESCRIPTOR } from "../../sandbox/bubblewrap.ts";
import type { SandboxedCommand } from "../sandbox/command-sandbox.ts";
import { followStatus } from "../sandbox/sandbox-status.ts";

/** A command and how to run it. */
export interface CommandInput {
  readonly shell: string;
  readonly command: string;
  readonly directory: string;
  readonly env: Environment;
  /** None for a command in the background. */
  readonly timeoutMs?: number | undefined;
  /** Whether it does not keep this process running, and ends with it however that ends. */
  readonly isBackground?: boolean | undefined;
  readonly graceMs: number;
  readonly signal?: CancelSignal | undefined;
  /** Runs the command on its own without it. */
  readonly sandbox?:
    | Pick<SandboxedCommand, "file" | "args" | "reportsStatus" | "filter">
    | undefined;
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
  /** True if the sandbox could not be set up, so that the command did not run. */
  readonly isUnstarted: boolean;
}

/** The time that output may still arrive after the last process has ended. */
const DRAIN_MS = 1_000;

/**
 * Runs a command in its own process group, without standard input. It has ended when no process holds its output open
 * anymore, or when the group was killed.
 */
export async function runCommand(input: CommandInput): Promise<CommandEnd> {
  const { spawn } = await import("node:child_process");
  const { directory, env, signal, sandbox } = input;
  const [file, ...args] = commandLine(input);
  const descriptors = openDescriptors(sandbox);
  const isWatched = needsWatch(input);
  const options = { cwd: directory, env: { ...env }, detached: true, windowsHide: true };
  const stdio = [
    "ignore",
    "pipe",
    "pipe",
    ...(isWatched ? watchedStdio(descriptors) : descriptors.stdio),
  ] as const;
  const child = startAndRelease(
    () => spawn(file, args, { ...options, stdio: [...stdio] }),
    descriptors,
  );
  let ended: Pick<CommandEnd, "exitCode" | "signal"> = { exitCode: undefined, signal: undefined };
  if (input.isBackground === true) releaseProcess(child);
  const watch = isWatched ? child.stdio[WATCH_DESCRIPTOR] : undefined;
  watch?.on("error", () => undefined);
  const status = followStatus(isWatched ? undefined : child.stdio[STATUS_DESCRIPTOR]);
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", input.onOutput);
  const closed = new Promise<void>((resolve, reject) => {
    child.once("exit", (exitCode, by) => {
      ended = { exitCode: exitCode ?? undefined, signal: by ?? undefined };
    });
    child.once("close", () => resolve());
    child.once("error", reject);
    // The watching process ends when its pipe does.
    child.once("exit", () => whenClosed([child.stdout, child.stderr], () => watch?.destroy()));
  });
  const stopping = createStop(signal, input.timeoutMs);
  try {
    const stopped = await Promise.race([closed.then(() => undefined), stopping.reason]);
    if (stopped === undefined) {
      await status.gone();
      return { ...ended, stopped, isUnstarted: status.hasFailed() };
    }
    // From here on, we cause the exit code of the shell.
    const endedBefore = ended;
    await killGroup(createProcessGroup(child), { closed, graceMs: input.graceMs });
    await status.gone();
    // A process that left the group may hold the output open forever.
    for (const stream of child.stdio) stream?.destroy();
    return { ...endedBefore, stopped, isUnstarted: false };
  } finally {
    stopping.release();
  }
}

interface Descriptors {
  readonly stdio: readonly (number | "pipe" | "ignore")[];
  /** Closes what only the command needs. */
  readonly release: () => void;
}

/** The descriptors of a sandbox: its status, and the filter for system calls. Any other would be a way out. */
function openDescriptors(sandbox: CommandInput["sandbox"]): Descriptors {
  if (sandbox === undefined) return { stdio: [], release: () => undefined };
  const status = sandbox.reportsStatus ? "pipe" : "ignore";
  const filter = sandbox.filter === undefined ? undefined : openSync(sandbox.filter, "r");
  const own = filter === undefined ? ([status] as const) : ([status, filter] as const);
  const covered = coverDescriptors(STATUS_DESCRIPTOR + own.length);
  return {
    stdio: [...own, ...covered.stdio],
    release: () => {
      covered.release();
      if (filter !== undefined) closeSync(filter);
    },
  };
}

function startAndRelease<Result>(start: () => Result, { release }: Descriptors): Result {
  try {
    return start();
  } finally {
    release();
  }
}

const BASH = "/bin/bash";
const CAT = "/bin/cat";
/** Only Linux has it. */
const DESCRIPTORS = "/proc/self/fd";

/**
 * Node's pipes are sockets, which Linux does not let anyone open under the names `/dev/stdout` and `/dev/stderr`. A real pipe
 * has no such limit. It ends when the last process closes it, so it must not be stopped with the others. Runs outside
 * of the sandbox, so nothing in it comes from the search path or the environment.
 */
const REAL_PIPE = `exec > >(trap "" HUP INT TERM; exec ${CAT}) 2>&1; exec "$@"`;

const WATCH_DESCRIPTOR = 3;

/**
 * Kills the group when this process is gone, even if it was killed: only then does the pipe end. A sandbox that reports
 * its status ends with its parent anyway.
 */
const WATCH = `{ read -r _ <&${WATCH_DESCRIPTOR}; kill -KILL 0; } >/dev/null 2>&1 & exec ${WATCH_DESCRIPTOR}<&-; `;

function needsWatch({ isBackground, sandbox }: CommandInput): boolean {
  return isBackground === true && sandbox?.reportsStatus !== true;
}

function watchedStdio({ stdio }: Descriptors): Descriptors["stdio"] {
  return ["pipe", ...stdio.slice(1)];
}

function releaseProcess(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
}

function whenClosed(streams: readonly (Readable | null)[], action: () => void): void {
  const open = streams.filter((stream) => stream !== null && !stream.closed);
  let count = open.length;
  if (count === 0) action();
  for (const stream of open) {
    stream?.once("close", () => {
      count -= 1;
      if (count === 0) action();
    });
  }
}

/** Combines stdout and stderr, so that lines keep their order. The inner shell gets the command unchanged. */
function commandLine(input: CommandInput): readonly [string, ...string[]] {
  const { shell, command, sandbox } = input;
  const watch = needsWatch(input) ? WATCH : "";
  const launcher = sandbox === undefined ? [] : [sandbox.file, ...sandbox.args];
  const isPossible = shell === BASH && [DESCRIPTORS, CAT].every((path) => existsSync(path));
  if (isPossible)
    return [BASH, "-p", "-c", `${watch}${REAL_PIPE}`, BASH, ...launcher, shell, "-c", command];
  const line = [shell, "-c", `${watch}exec "$0" -c "$1" 2>&1`, shell, command] as const;
  const [file, ...args] = launcher;
  return file === undefined ? line : [file, ...args, ...line];
}

interface Stop {
  readonly reason: Promise<"time-limit" | "interrupted">;
  readonly release: () => void;
}

function createStop(signal: CancelSignal | undefined, timeoutMs: number | undefined): Stop {
  const { promise: reason, resolve } = Promise.withResolvers<"time-limit" | "interrupted">();
  const interrupt = (): void => resolve("interrupted");
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => resolve("time-limit"), timeoutMs);
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
