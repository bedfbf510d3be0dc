import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import type { CancelSignal } from "@caliban/agent-core";
import { coverDescriptors, createProcessGroup, errorCode } from "@caliban/common/node";
import type { Host } from "../host.ts";
import type { HookProgram } from "./hook.ts";
import type { HookFailure } from "./hook-failure.ts";

export interface RunProgramInput {
  readonly program: HookProgram;
  /** Written to its standard input. */
  readonly input: string;
  readonly timeoutSeconds: number;
  /** Kills it, because the turn was interrupted. */
  readonly signal?: CancelSignal | undefined;
  /** Kills it, because the conversation ends. */
  readonly ending?: AbortSignal | undefined;
  readonly onExit: Host["onExit"];
}

/** How a program ended, and what it printed. */
export type ProgramEnd =
  | {
      readonly kind: "ended";
      readonly exitCode: number | undefined;
      /** The name of the signal that ended it. */
      readonly signal: string | undefined;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: "interrupted" }
  | Extract<
      HookFailure,
      { readonly kind: "not-started" | "timed-out" | "ended-early" | "too-much-output" }
    >;

/** The most that a hook may print. Its answer is much shorter. */
const MAX_OUTPUT_BYTES = 256 * 1024;
/** From the end of the program to the end of its output, which what it started may hold open. */
const DRAIN_MS = 250;

/** Runs a program in a process group of its own. When it ends, or has to, everything it started ends with it. */
export async function runProgram(input: RunProgramInput): Promise<ProgramEnd> {
  const started = await start(input.program);
  if ("kind" in started) return started;
  const { child } = started;
  const group = createProcessGroup(child);
  const removeListener = input.onExit(() => void group.signal("SIGKILL"));
  const { promise: stopped, resolve: stop } = Promise.withResolvers<ProgramEnd>();
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const output: Buffer[] = [];
    let bytes = 0;
    stream?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_OUTPUT_BYTES) return void output.push(chunk);
      stop({ kind: "too-much-output", maxBytes: MAX_OUTPUT_BYTES });
    });
    return () => Buffer.concat(output).toString();
  });
  const limits = listenForLimits(input, stop);
  try {
    child.stdin?.end(input.input);
    return await Promise.race([
      stopped,
      endOf(child).then(([exitCode, signal]): ProgramEnd => {
        const end = { exitCode: exitCode ?? undefined, signal: signal ?? undefined };
        return { kind: "ended", ...end, stdout: stdout?.() ?? "", stderr: stderr?.() ?? "" };
      }),
    ]);
  } finally {
    limits.release();
    removeListener();
    group.signal("SIGKILL");
    // A process that left the group may hold them open forever.
    for (const stream of child.stdio) stream?.destroy();
  }
}

async function start({
  command,
  args,
  env,
  cwd,
}: HookProgram): Promise<{ readonly child: ChildProcess } | ProgramEnd> {
  const covered = coverDescriptors(3);
  try {
    const stdio: StdioOptions = ["pipe", "pipe", "pipe", ...covered.stdio];
    const options = { cwd, env: { ...env }, stdio, detached: true, windowsHide: true };
    const child = spawn(command, [...args], options);
    // A hook need not read its input, so that a closed pipe is not a failure.
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    await once(child, "spawn");
    child.on("error", () => undefined);
    return { child };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { kind: "not-started", reason: `${command} cannot be run (${code})` };
  } finally {
    covered.release();
  }
}

/** The end of the program, once its output is read. */
async function endOf(child: ChildProcess): Promise<readonly [number | null, string | null]> {
  return await new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => {
      const end = (): void => resolve([exitCode, signal]);
      const timer = setTimeout(end, DRAIN_MS);
      child.once("close", () => {
        clearTimeout(timer);
        end();
      });
    });
  });
}

function listenForLimits(
  { timeoutSeconds, signal, ending }: RunProgramInput,
  stop: (end: ProgramEnd) => void,
): { readonly release: () => void } {
  const timeOut = (): void => stop({ kind: "timed-out", seconds: timeoutSeconds });
  const interrupt = (): void => stop({ kind: "interrupted" });
  const endEarly = (): void => stop({ kind: "ended-early" });
  const timer = setTimeout(timeOut, timeoutSeconds * 1_000);
  signal?.addEventListener("abort", interrupt);
  ending?.addEventListener("abort", endEarly);
  if (signal?.aborted === true) interrupt();
  if (ending?.aborted === true) endEarly();
  return {
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
      ending?.removeEventListener("abort", endEarly);
    },
  };
}
