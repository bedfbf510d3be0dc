import { existsSync, fstatSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir, userInfo } from "node:os";
import {
  isAbsolutePath,
  joinPath,
  pathStyleOf,
  userDirectories,
  type NativeDirectories,
} from "@caliban/common";
import type { ExitCode } from "./exit-code.ts";
import type { Host, InputKind } from "./host.ts";
import { onInterrupt } from "./process/on-interrupt.ts";
import { quietExperiments } from "./process/ignore-experimental-warnings.ts";

/** Turns the process into a Host and runs the program on it. */
export async function main(machine: NodeJS.Process, version: string): Promise<ExitCode> {
  const { env, platform } = machine;
  const home = homeDirectory(machine);
  quietExperiments(machine);
  // `env-paths` is not even imported where XDG applies.
  const native = platform === "win32" ? await nativeDirectories() : undefined;
  cacheCompiledCode({ env, platform, home, native });
  const host: Host = {
    argv: machine.argv.slice(2),
    env,
    platform,
    cwd: currentDirectory(machine),
    home,
    native,
    version,
    nodeVersion: machine.version,
    isTerminal: machine.stdout.isTTY,
    hasColor: (stream) => machine[stream].isTTY && machine[stream].hasColors(),
    // Asked for when it is needed: looking at stdin opens it, which takes milliseconds.
    isInteractive: () => machine.stdin.isTTY && machine.stderr.isTTY,
    now: Date.now,
    inputKind: () => inputKind(machine),
    readInput: async () => await (await import("./process/user-input.ts")).readInput(machine.stdin),
    readInputWithin: async (firstByteMs, signal) =>
      await (
        await import("./process/user-input.ts")
      ).readInputWithin(machine.stdin, firstByteMs, signal),
    inputLines: (signal) => inputLines(machine, signal),
    openPipe: async () => (await import("./process/byte-pipe.ts")).createBytePipe(machine),
    onInterrupt: (listener) => onInterrupt(machine, listener),
    onExit: (listener) => {
      machine.on("exit", listener);
      return () => void machine.off("exit", listener);
    },
    confirm: async (question) =>
      await (await import("./process/user-input.ts")).confirm(machine, question),
    openEditor: async (command, path) =>
      await (await import("./process/user-input.ts")).openEditor(command, path),
    progressLine: () => progressLine(machine),
    stdout: (text) => machine.stdout.write(text),
    stderr: (text) => writeToStderr(machine, text),
  };
  const { run } = await import("./run.ts");
  return await run(host);
}

/** By the descriptor, because looking at `stdin` opens it. */
function inputKind(machine: NodeJS.Process): InputKind {
  try {
    const status = fstatSync(0);
    if (status.isFile()) return "file";
    if (status.isFIFO() || status.isSocket()) return "pipe";
  } catch (error) {
    // No descriptor at all, as a program may start another one.
    if (!(error instanceof Error)) throw error;
    return "none";
  }
  // Loaded only here: nothing else on the way to a first answer needs it.
  return machine.getBuiltinModule("node:tty").isatty(0) ? "terminal" : "none";
}

async function* inputLines(machine: NodeJS.Process, signal: AbortSignal): AsyncGenerator<string> {
  const { readLines } = await import("./process/user-input.ts");
  yield* readLines(machine.stdin, signal);
}

/** Opening the stream takes milliseconds, so it waits for something to say. Without it there is nobody to tell. */
function writeToStderr(machine: NodeJS.Process, text: string): void {
  if (text === "") return;
  if (machine.stderr.listenerCount("error") === 0) machine.stderr.on("error", () => undefined);
  machine.stderr.write(text);
}

/** On stderr, because stdout is for the answer of the command. A line that is too long would not be taken away again. */
function progressLine({ stderr }: NodeJS.Process): ((line: string) => void) | undefined {
  if (!stderr.isTTY) return undefined;
  return (line) => stderr.write(`\r\u001B[K${line.slice(0, stderr.columns - 1)}`);
}

async function nativeDirectories(): Promise<NativeDirectories> {
  const { windowsDirectories } = await import("@caliban/common/node/windows-directories");
  return await windowsDirectories();
}

/** The cache home is the person's own: a shared directory would let others put code into it. */
function cacheCompiledCode(input: Parameters<typeof userDirectories>[0]): void {
  const { cache } = userDirectories(input);
  // A home that is not there is not ours to make.
  if (input.home === undefined || !existsSync(input.home)) return;
  if (cache !== undefined)
    enableCompileCache(joinPath(pathStyleOf(input.platform), cache, "compiled"));
}

/** HOME when it is a full path, else what the user database says; some containers have neither. */
function homeDirectory(machine: NodeJS.Process): string | undefined {
  const style = pathStyleOf(machine.platform);
  const sources = [homedir, () => userInfo().homedir];
  for (const source of sources) {
    try {
      const home = source();
      if (isAbsolutePath(style, home)) return home;
    } catch (error) {
      // The user database has no entry for this user id.
      if (!(error instanceof Error)) throw error;
    }
  }
  return undefined;
}

function currentDirectory(machine: NodeJS.Process): string | undefined {
  try {
    return machine.cwd();
  } catch {
    // Removed while a shell still stood in it.
    return undefined;
  }
}
