import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createProcessGroup, errorCode, type ProcessGroup } from "@caliban/common/node";
import type { ClientLimits } from "../../../client/limits.ts";
import type { McpTransport } from "../../../client/mcp-server.ts";
import { ServerFailure } from "../../../client/server-failure.ts";
import { sanitizeLine } from "../../../client/untrusted.ts";
import type { Readable } from "node:stream";

/** A server that runs as a process of ours. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly group: ProcessGroup;
  /** The end of what it printed for people. */
  readonly lastOutput: () => string;
}

/** Starts it in a group of its own, with the environment it is given and nothing else. @throws ServerFailure */
export async function startServerProcess(
  { command, args, env, cwd }: Extract<McpTransport, { readonly kind: "stdio" }>,
  { stderrBytes }: Pick<ClientLimits, "stderrBytes">,
): Promise<ServerProcess> {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ServerFailure("NOT_STARTED", `its directory ${sanitizeLine(cwd, 200)} is not there`);
  }
  try {
    // In a group of its own also because Ctrl-C in the terminal is to end a turn, and not the servers.
    const options = { cwd, env, stdio: "pipe", detached: true, windowsHide: true } as const;
    const child = spawn(command, args, options);
    const lastWords = tailOutput(child.stderr, stderrBytes);
    await once(child, "spawn");
    // What goes wrong from here on is told by its end.
    for (const each of [child, child.stdin, child.stdout]) each.on("error", () => undefined);
    return { child, lastOutput: lastWords, group: createProcessGroup(child) };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const words = code === "ENOENT" ? "is not found" : `cannot be run: the system says ${code}`;
    const sentence = `its command ${sanitizeLine(command, 200)} ${words}`;
    throw new ServerFailure("NOT_STARTED", sentence, { cause: error });
  }
}

/** First it is told that nothing more comes, then asked to end, then ended; and with it whatever it started. */
export async function endServerProcess(
  { child, group }: ServerProcess,
  limits: Pick<ClientLimits, "leaveMs" | "terminateMs">,
): Promise<void> {
  child.stdin.end();
  if (!(await group.exitsWithin(limits.closeMs))) {
    group.signal("SIGTERM");
    if (!(await group.exitsWithin(limits.terminateMs))) group.signal("SIGKILL");
  }
  // Whoever left the group may hold them for ever.
  child.stdout.destroy();
  child.stderr.destroy();
}

/** What a server that ended by itself started goes with it: the next start knows nothing of it any more. */
export function killDescendants({ child, group }: ServerProcess): void {
  group.signal("SIGKILL");
  child.stdout.destroy();
  child.stderr.destroy();
}

/** From the end of the process to the end of its output: what it started may hold that for ever. */
const DRAIN_MS = 250;

/** Tells how it ended, and what it said last, once nothing more comes. */
export function onServerEnd(
  { child, lastOutput: lastWords }: ServerProcess,
  listener: (failure: ServerFailure) => void,
): void {
  child.once("exit", (code, signal) => {
    const end = (): void => {
      const how =
        code === null
          ? `it was ended by ${signal ?? "a signal"}`
          : `it ended with exit code ${code}`;
      const said = lastWords();
      listener(new ServerFailure("ENDED", said === "" ? how : `${how}; it last said: ${said}`));
    };
    const timer = setTimeout(end, DRAIN_MS);
    child.once("close", () => {
      clearTimeout(timer);
      end();
    });
  });
}

const KEPT_BYTES = 4 * 1024;
const SHOWN_LINES = 3;
const LINE_CHARACTERS = 200;

/** The end of what a server prints for people; so much of it is read in a second, and the rest waits in the pipe. */
export function tailOutput(stream: Readable, bytesASecond: number): () => string {
  let tail = Buffer.alloc(0);
  let readBytes = 0;
  stream.on("error", () => undefined);
  stream.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
    readBytes += chunk.length;
    if (readBytes < bytesASecond) return;
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
      .map((line) => sanitizeLine(line, LINE_CHARACTERS))
      .filter((line) => line !== "")
      .slice(-SHOWN_LINES)
      .join(" / ");
}
