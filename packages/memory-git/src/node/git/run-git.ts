import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Environment, StopSignal } from "@caliban/common";
import { createProcessGroup, errorCode } from "@caliban/common/node";
import { TeamError } from "../../errors.ts";
import { gitArguments, gitEnvironment } from "./git-environment.ts";

/** A bare repository, and the program that works on it. */
export interface Git {
  readonly program: string;
  readonly repository: string;
  /** Where git runs; never the user's project. */
  readonly directory: string;
  readonly env: Environment;
  readonly isInteractive: boolean;
  /** The keys that the user approved. */
  readonly allowedSignersFile: string;
  readonly signal?: StopSignal | undefined;
}

export interface GitCommand {
  readonly command: readonly string[];
  /** Settings for this command. */
  readonly settings?: readonly string[] | undefined;
  readonly env?: Environment | undefined;
  readonly input?: string | undefined;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Called several times a second; the command is stopped once it returns true. */
  readonly isTooMuch?: (() => boolean) | undefined;
}

export interface GitOutput {
  /** `undefined` for a command that was stopped. */
  readonly status: number | undefined;
  readonly output: Buffer;
  readonly stderr: string;
  readonly stopped: "timeout" | "output" | "too-much" | "aborted" | undefined;
}

const MAX_STDERR_BYTES = 64 * 1024;
const POLL_MS = 100;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Runs git with limits on time and output. A command that exceeds one is killed, with everything it started. */
export async function runGit(git: Git, command: GitCommand): Promise<GitOutput> {
  const { program, repository, directory, isInteractive } = git;
  const settings = (command.settings ?? []).flatMap((setting) => ["-c", setting]);
  const args = [...gitArguments(repository, isInteractive), ...settings, ...command.command];
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...gitEnvironment(git.env, isInteractive), ...command.env },
    stdio: ["pipe", "pipe", "pipe"],
    // Its own session, so that nothing it starts can ask on the terminal.
    detached: !isInteractive,
    windowsHide: true,
  });
  return await collect(child, git, command);
}

async function collect(child: Child, git: Git, command: GitCommand): Promise<GitOutput> {
  const stop = createStop(child, git.isInteractive);
  const timer = setTimeout(() => stop("timeout"), command.timeoutMs);
  const { isTooMuch } = command;
  const poll = isTooMuch && setInterval(() => isTooMuch() && stop("too-much"), POLL_MS);
  const abort = (): void => stop("aborted");
  if (git.signal?.aborted === true) abort();
  git.signal?.addEventListener("abort", abort, { once: true });
  const [output, stderr] = [[] as Buffer[], [] as Buffer[]];
  let [outputBytes, stderrBytes] = [0, 0];
  child.stdout.on("data", (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > command.maxOutputBytes) stop("output");
    else output.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderrBytes += chunk.length;
    if (stderrBytes <= MAX_STDERR_BYTES) stderr.push(chunk);
  });
  // A command that ends early does not read all of its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(command.input ?? "");
  try {
    const status = await exited(child);
    const stopped = stop.reason();
    return {
      status: stopped === undefined ? status : undefined,
      output: Buffer.concat(output),
      stderr: Buffer.concat(stderr).toString("utf8"),
      stopped,
    };
  } finally {
    clearTimeout(timer);
    clearInterval(poll);
    git.signal?.removeEventListener("abort", abort);
  }
}

type StopReason = NonNullable<GitOutput["stopped"]>;

interface Stop {
  (reason: StopReason): void;
  readonly reason: () => StopReason | undefined;
}

function createStop(child: Child, isInteractive: boolean): Stop {
  let first: StopReason | undefined;
  const group = createProcessGroup(child);
  const stop = (reason: StopReason): void => {
    first ??= reason;
    if (isInteractive) child.kill("SIGKILL");
    else group.signal("SIGKILL");
  };
  return Object.assign(stop, { reason: () => first });
}

async function exited(child: Child): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    child.on("error", (error) => {
      const isMissing = errorCode(error) === "ENOENT";
      const message = isMissing
        ? "git was not found; install it"
        : `git cannot run: ${error.message}`;
      reject(new TeamError("GIT_UNAVAILABLE", message, { cause: error }));
    });
    child.on("close", (code) => resolve(code ?? undefined));
  });
}
