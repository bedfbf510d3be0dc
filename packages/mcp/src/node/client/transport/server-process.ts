import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  spawn,
  type SpawnOptions,
  type StdioOptions,
} from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import type { Readable } from "node:stream";
import {
  coverDescriptors,
  createProcessGroup,
  errorCode,
  type ProcessGroup,
} from "@caliban/common/node";
import type { ClientLimits } from "../../../client/client-limits.ts";
import type { McpTransport } from "../../../client/mcp-server.ts";
import { ServerFailure } from "../../../client/server-failure.ts";
import { sanitizeLine } from "../../../client/untrusted.ts";

/** A server that runs as a child process. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly group: ProcessGroup;
  /** The last lines it printed to stderr. */
  readonly lastOutput: () => string;
}

/** Starts a server in a process group of its own, with exactly the given environment. @throws ServerFailure */
export async function startServerProcess(
  { command, args, env, cwd }: Extract<McpTransport, { readonly kind: "stdio" }>,
  { stderrBytes }: Pick<ClientLimits, "stderrBytes">,
): Promise<ServerProcess> {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ServerFailure("NOT_STARTED", `no such directory: ${sanitizeLine(cwd, 200)}`);
  try {
    // The group also keeps Ctrl-C in the terminal, which ends a turn, from ending the servers.
    const options = { cwd, env, detached: true, windowsHide: true } as const;
    const child = spawnCovered(command, args, options);
    const lastOutput = tailOutput(child.stderr, stderrBytes);
    await once(child, "spawn");
    // Later errors are reported with the end of the process.
    for (const each of [child, child.stdin, child.stdout]) each.on("error", () => undefined);
    return { child, lastOutput, group: createProcessGroup(child) };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const name = sanitizeLine(command, 200);
    const message =
      code === "ENOENT" ? `command not found: ${name}` : `cannot run ${name}: ${code}`;
    throw new ServerFailure("NOT_STARTED", message, { cause: error });
  }
}

/** The server gets its three streams, and no other open file. */
function spawnCovered(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcessWithoutNullStreams {
  const covered = coverDescriptors(3);
  try {
    const stdio: StdioOptions = ["pipe", "pipe", "pipe", ...covered.stdio];
    const child = spawn(command, args, { ...options, stdio });
    if (!hasStreams(child)) throw new Error("A child process has no streams.");
    return child;
  } finally {
    covered.release();
  }
}

function hasStreams(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

const KEPT_BYTES = 4 * 1024;
const SHOWN_LINES = 3;
const MAX_LINE_CHARACTERS = 200;

/** Keeps the end of a stream. Reads only so much per second, and leaves the rest in the pipe. */
function tailOutput(stream: Readable, bytesPerSecond: number): () => string {
  let tail = Buffer.alloc(0);
  let readBytes = 0;
  stream.on("error", () => undefined);
  stream.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
    readBytes += chunk.length;
    if (readBytes < bytesPerSecond) return;
    stream.pause();
    setTimeout(() => {
      readBytes = 0;
      stream.resume();
    }, 1_000).unref();
  });
  return () =>
    tail
      .toString("utf8")
      .split("\n")
      .map((line) => sanitizeLine(line, MAX_LINE_CHARACTERS))
      .filter((line) => line !== "")
      .slice(-SHOWN_LINES)
      .join(" / ");
}

/** Closes the input of a server, then sends SIGTERM, then SIGKILL, to it and everything it started. */
export async function endServerProcess(
  { child, group }: ServerProcess,
  limits: Pick<ClientLimits, "closeMs" | "terminateMs">,
): Promise<void> {
  child.stdin.end();
  if (!(await group.exitsWithin(limits.closeMs))) {
    group.signal("SIGTERM");
    if (!(await group.exitsWithin(limits.terminateMs))) group.signal("SIGKILL");
  }
  // A process that left the group could hold them open forever.
  child.stdout.destroy();
  child.stderr.destroy();
}

/** Kills what a server left behind when it ended on its own, because the next start knows nothing of it. */
export function killDescendants({ child, group }: ServerProcess): void {
  group.signal("SIGKILL");
  child.stdout.destroy();
  child.stderr.destroy();
}

/** From the end of the process to the end of its output, which a descendant could hold open forever. */
const DRAIN_MS = 250;

/** Calls the listener with how a server ended and what it printed last, once its output is read. */
export function onServerEnd(
  { child, lastOutput }: ServerProcess,
  listener: (failure: ServerFailure) => void,
): void {
  child.once("exit", (code, signal) => {
    const end = (): void => {
      const how = code === null ? `killed by ${signal ?? "a signal"}` : `exited with code ${code}`;
      const output = lastOutput();
      listener(new ServerFailure("ENDED", output === "" ? how : `${how}; last output: ${output}`));
    };
    const timer = setTimeout(end, DRAIN_MS);
    child.once("close", () => {
      clearTimeout(timer);
      end();
    });
  });
}
