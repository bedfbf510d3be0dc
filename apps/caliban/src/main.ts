import { existsSync, fstatSync, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir, userInfo } from "node:os";
import { dirname } from "node:path";
import {
  type Environment,
  isAbsolutePath,
  joinPath,
  pathStyleOf,
  userDirectories,
  type NativeDirectories,
} from "@caliban/common";
import type { ExitCode } from "./exit-code.ts";
import type { Host, InputKind } from "./host.ts";
import type { Output } from "./process/output.ts";
import type * as UserInput from "./process/user-input.ts";
import { ignoreExperimentalWarnings, onInterrupt } from "./process/process-events.ts";

/** Loads what a host runs. */
type LoadProgram = () => Promise<{ readonly run: (host: Host) => Promise<ExitCode> }>;

export interface MainInput {
  readonly machine: NodeJS.Process;
  readonly version: string;
  readonly output: Output;
  readonly loadProgram: LoadProgram;
}

/** Turns the process into a Host and runs the program on it. */
export async function main({
  machine,
  version,
  output,
  loadProgram,
}: MainInput): Promise<ExitCode> {
  const { platform } = machine;
  // A copy where keys can be removed from the process itself. On Windows, the names in a copy would depend on case.
  const env = platform === "win32" ? machine.env : { ...machine.env };
  const home = homeDirectory(machine);
  ignoreExperimentalWarnings(machine);
  // `env-paths` is not even imported where XDG applies.
  const native = platform === "win32" ? await nativeDirectories() : undefined;
  // The executable has its compiled code in it.
  if (!isEmbedded(machine)) cacheCompiledCode({ env, platform, home, native });
  const cwd = currentDirectory(machine);
  const program = programName(env, cwd);
  const endings: (() => void)[] = [];
  const host: Host = {
    argv: machine.argv.slice(2),
    env,
    platform,
    cwd,
    home,
    native,
    version,
    nodeVersion: machine.version,
    program: restartCommand(machine),
    // Evaluated on demand, because looking at a stream opens it, which takes milliseconds.
    get isTerminal() {
      return output.isTerminal();
    },
    get hasBold() {
      return output.isTerminal() && env["TERM"] !== "dumb";
    },
    ...screenOf(machine, output),
    isInteractive: () => machine.stdin.isTTY && machine.stderr.isTTY,
    now: Date.now,
    inputKind: () => inputKind(machine),
    ...inputOf(machine),
    onInterrupt: (listener) => onInterrupt(machine, output, listener),
    ...jobControl(machine),
    onExit: (listener) => onExit(machine, listener),
    onEnd: (listener) => void endings.push(listener),
    hideVariables: async (names) => {
      // There, `env` is the environment of the process itself.
      if (platform === "win32") return;
      (await import("./process/hide-variables.ts")).hideVariables(machine, names);
    },
    progressLine: () => progressLine(machine),
    command: (words) => `${program} ${words}`,
    stderr: (text) => writeToStderr(machine, text),
    report: (message) => {
      const label = host.hasColor("stderr") ? "\u001B[1mcaliban:\u001B[22m" : "caliban:";
      writeToStderr(machine, `${label} ${message}\n`);
    },
  };
  const { run } = await loadProgram();
  const exitCode = await run(host);
  for (const end of endings) end();
  return exitCode;
}

/** In a standalone executable, the script is a file that only the executable itself sees. */
export function restartCommand(
  machine: Pick<NodeJS.Process, "execPath" | "execArgv" | "argv">,
): readonly string[] {
  const { execPath, execArgv, argv } = machine;
  return isEmbedded(machine) ? [execPath] : [execPath, ...execArgv, argv[1] ?? ""];
}

function isEmbedded({ argv }: Pick<NodeJS.Process, "argv">): boolean {
  return /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(argv[1] ?? "");
}

function onExit(machine: NodeJS.Process, listener: () => void): () => void {
  machine.on("exit", listener);
  return () => void machine.off("exit", listener);
}

/** What the program writes to. */
function screenOf(
  machine: NodeJS.Process,
  output: Output,
): Pick<Host, "hasColor" | "columns" | "openPipe" | "stdout"> {
  return {
    hasColor: (stream) =>
      stream === "stdout"
        ? output.isTerminal() && output.open().hasColors()
        : machine.stderr.isTTY && machine.stderr.hasColors(),
    columns: () => (output.isTerminal() ? output.open().columns : undefined),
    openPipe: async () => {
      output.open();
      return (await import("./process/byte-pipe.ts")).createBytePipe(machine);
    },
    stdout: output.write,
  };
}

/** What the user writes and answers. */
function inputOf(
  machine: NodeJS.Process,
): Pick<
  Host,
  "readInput" | "readInputWithin" | "inputLines" | "confirm" | "choose" | "openEditor"
> {
  return {
    readInput: async () => await (await userInput()).readInput(machine.stdin),
    readInputWithin: async (firstByteMs, signal) =>
      await (await userInput()).readInputWithin(machine.stdin, firstByteMs, signal),
    inputLines: (signal) => inputLines(machine, signal),
    confirm: async (question) => await (await userInput()).confirm(machine, question),
    choose: async (question, choices) =>
      await (await userInput()).choose(machine, question, choices),
    openEditor: async (...words) => await (await userInput()).openEditor(machine, ...words),
  };
}

/** Windows has no such signals. */
function jobControl(machine: NodeJS.Process): Pick<Host, "stopJob" | "onContinue"> {
  const hasJobs = machine.platform !== "win32";
  return {
    stopJob: async () =>
      hasJobs && (await (await import("./process/job-control.ts")).stopJob(machine)),
    onContinue: (listener) => {
      if (hasJobs) machine.on("SIGCONT", listener);
      return () => void machine.off("SIGCONT", listener);
    },
  };
}

/** What users type to run the program: `npm start` in a clone has no `caliban` command. */
export function programName(env: Environment, cwd: string | undefined): string {
  const isNpmStart =
    env["npm_lifecycle_event"] === "start" && env["npm_package_name"] === "caliban-workspace";
  // From another directory it was started by an alias.
  const isInClone = cwd !== undefined && dirname(env["npm_package_json"] ?? "") === cwd;
  return isNpmStart && isInClone ? "npm start --" : "caliban";
}

/** Uses the file descriptor, because looking at `stdin` opens it. */
function inputKind(machine: NodeJS.Process): InputKind {
  try {
    const status = fstatSync(0);
    if (status.isFile()) return "file";
    if (status.isFIFO() || status.isSocket()) return "pipe";
    // Scripts and hooks often give none.
    if (status.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev) return "none";
  } catch (error) {
    // The parent process closed the descriptor.
    if (!(error instanceof Error)) throw error;
    return "none";
  }
  // Loaded only here, because nothing else before the first answer needs it.
  return machine.getBuiltinModule("node:tty").isatty(0) ? "terminal" : "none";
}

async function userInput(): Promise<typeof UserInput> {
  return await import("./process/user-input.ts");
}

async function* inputLines(machine: NodeJS.Process, signal: AbortSignal): AsyncGenerator<string> {
  const { readLines } = await userInput();
  yield* readLines(machine.stdin, signal);
}

/** Opens the stream only when there is something to write, because that takes milliseconds. Ignores write errors. */
function writeToStderr(machine: NodeJS.Process, text: string): void {
  if (text === "") return;
  if (machine.stderr.listenerCount("error") === 0) machine.stderr.on("error", () => undefined);
  machine.stderr.write(text);
}

/** Writes to stderr, because stdout is for the command's result. A line that wraps could not be removed again. */
function progressLine({ stderr }: NodeJS.Process): ((line: string) => void) | undefined {
  if (!stderr.isTTY) return undefined;
  return (line) => stderr.write(`\r\u001B[K${line.slice(0, stderr.columns - 1)}`);
}

async function nativeDirectories(): Promise<NativeDirectories> {
  const { windowsDirectories } = await import("@caliban/common/node/windows-directories");
  return await windowsDirectories();
}

/** Uses the user's own cache directory: others could plant code in a shared one. */
function cacheCompiledCode(input: Parameters<typeof userDirectories>[0]): void {
  const { cache } = userDirectories(input);
  // A missing home directory is not created.
  if (input.home === undefined || !existsSync(input.home)) return;
  if (cache !== undefined)
    enableCompileCache(joinPath(pathStyleOf(input.platform), cache, "compiled"));
}

/** HOME if it is an absolute path, otherwise the entry of the user database. Some containers have neither. */
function homeDirectory(machine: NodeJS.Process): string | undefined {
  const style = pathStyleOf(machine.platform);
  const variable = machine.platform === "win32" ? "USERPROFILE" : "HOME";
  // As `homedir` does, without loading its module.
  const sources = [() => machine.env[variable] ?? "", homedir, () => userInfo().homedir];
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
    // The directory was removed while a shell was still in it.
    return undefined;
  }
}
