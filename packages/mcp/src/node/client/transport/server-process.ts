import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createProcessGroup, errorCode, type ProcessGroup } from "@caliban/common/node";
import type { ClientLimits } from "../../../client/limits.ts";
import { createLastWords } from "./last-words.ts";
import type { McpTransport } from "../../../client/mcp-server.ts";
import { ServerFailure } from "../../../client/server-failure.ts";
import { harmlessLine } from "../../../client/untrusted.ts";

/** A server that runs as a process of ours. */
export interface ServerProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly group: ProcessGroup;
  /** The end of what it printed for people. */
  readonly lastWords: () => string;
}

/** Starts it in a group of its own, with the environment it is given and nothing else. @throws ServerFailure */
export async function startServerProcess(
  { command, args, env, cwd }: Extract<McpTransport, { readonly kind: "stdio" }>,
  { stderrBytes }: Pick<ClientLimits, "stderrBytes">,
): Promise<ServerProcess> {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ServerFailure("NOT_STARTED", `its directory ${harmlessLine(cwd, 200)} is not there`);
  }
  try {
    // In a group of its own also because Ctrl-C in the terminal is to end a turn, and not the servers.
    const options = { cwd, env, stdio: "pipe", detached: true, windowsHide: true } as const;
    const child = spawn(command, args, options);
    const lastWords = createLastWords(child.stderr, stderrBytes);
    await once(child, "spawn");
    // What goes wrong from here on is told by its end.
    for (const each of [child, child.stdin, child.stdout]) each.on("error", () => undefined);
    return { child, lastWords, group: createProcessGroup(child) };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const words = code === "ENOENT" ? "is not found" : `cannot be run: the system says ${code}`;
    const sentence = `its command ${harmlessLine(command, 200)} ${words}`;
    throw new ServerFailure("NOT_STARTED", sentence, { cause: error });
  }
}

/** First it is told that nothing more comes, then asked to end, then ended; and with it whatever it started. */
export async function endServerProcess(
  { child, group }: ServerProcess,
  limits: Pick<ClientLimits, "leaveMs" | "terminateMs">,
): Promise<void> {
  child.stdin.end();
  if (!(await group.exitsWithin(limits.leaveMs))) {
    group.signal("SIGTERM");
    if (!(await group.exitsWithin(limits.terminateMs))) group.signal("SIGKILL");
  }
  // Whoever left the group may hold them for ever.
  child.stdout.destroy();
  child.stderr.destroy();
}

/** What a server that ended by itself started goes with it: the next start knows nothing of it any more. */
export function dropLeftovers({ child, group }: ServerProcess): void {
  group.signal("SIGKILL");
  child.stdout.destroy();
  child.stderr.destroy();
}

/** From the end of the process to the end of its output: what it started may hold that for ever. */
const DRAIN_MS = 250;

/** Tells how it ended, and what it said last, once nothing more comes. */
export function onServerEnd(
  { child, lastWords }: ServerProcess,
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
