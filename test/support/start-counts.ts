import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { root } from "../../scripts/workspace.mjs";
import { BIN, waitForExit } from "./run-caliban.ts";

/** What a command loads and reads until its first request, or until it ends; sorted, because some of it happens at the same time. */
export interface StartCounts {
  readonly modules: readonly string[];
  readonly moduleBytes: number;
  /** Modules of Node that a process without a program does not load. */
  readonly nodeModules: readonly string[];
  /** The user's files, once for each time they are read. */
  readonly files: readonly string[];
  readonly fileBytes: number;
}

/** What test/start-budget/count-start.mjs writes. */
interface Written {
  readonly modules: Readonly<Record<string, number>>;
  readonly files: readonly (readonly [path: string, bytes: number])[];
  readonly builtins: readonly string[];
}

interface Start {
  /** A home directory with a project `~/app`. */
  readonly home: string;
  readonly args: readonly string[];
}

const COUNTER = join(root, "test/start-budget/count-start.mjs");
const PROGRAM = join(BIN, "..");

/** Runs a command once without counting, so that its compiled code is cached. */
export async function warmUp(start: Start): Promise<void> {
  await run([process.execPath, BIN, ...start.args], start);
}

/** Counts inside the program. */
export async function countStart(start: Start): Promise<StartCounts> {
  const target = join(start.home, "counts.json");
  const command = [process.execPath, "--import", COUNTER, BIN, ...start.args];
  await run(command, start, { COUNT_START_TO: target });
  const written = JSON.parse(await readFile(target, "utf8")) as Written;
  const files = written.files.filter(([path]) => path.startsWith(start.home + sep));
  return {
    modules: Object.keys(written.modules)
      .map((path) => relative(PROGRAM, path))
      .toSorted(),
    moduleBytes: sum(Object.values(written.modules)),
    nodeModules: written.builtins
      .filter((name) => name.startsWith("NativeModule "))
      .map((name) => name.slice("NativeModule ".length))
      .toSorted(),
    files: files
      .map(([path]) => relative(start.home, path).replace(projectSlug(start), "SLUG"))
      .toSorted(),
    fileBytes: sum(files.map(([, bytes]) => bytes)),
  };
}

/** Counts the system calls about files of the program and of the user. Others depend on the machine. */
export async function countSystemCalls(start: Start): Promise<number> {
  const target = join(start.home, "calls.txt");
  const tracing = ["-f", "-qq", "-y", "-e", "trace=%file,%desc,%network", "-o", target];
  await run(["strace", ...tracing, process.execPath, BIN, ...start.args], start);
  const lines = (await readFile(target, "utf8")).split("\n");
  const firstRequest = lines.findIndex((line) => line.includes('"POST '));
  return (
    lines
      .slice(0, firstRequest === -1 ? undefined : firstRequest)
      // A call that another thread interrupts has two lines; only the first one has its arguments.
      .filter((line) => !line.includes(" resumed>") && !line.includes(" getcwd("))
      .map((line) => line.replace(/AT_FDCWD<[^>]*>/, ""))
      .filter((line) => line.includes(start.home) || line.includes(PROGRAM))
      .filter((line) => !isReadOfCode(line)).length
  );
}

/** Code and its cache are read in pieces, so that each line of code could change their number. Their size is counted. */
function isReadOfCode(line: string): boolean {
  const isCode = line.includes(PROGRAM) || line.includes("/.cache/caliban/compiled/");
  return isCode && / (?:read|pread64|mmap)\(/.test(line);
}

async function run(
  [command = "", ...args]: readonly string[],
  { home }: Start,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { PATH = "" } = process.env;
  const child = spawn(command, args, {
    cwd: join(home, "app"),
    // Not the cache of compiled code that tests share: its state would depend on them.
    env: { HOME: home, PATH, ANTHROPIC_API_KEY: "none-at-all", ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { exitCode, stderr } = await waitForExit(child);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")}: ${exitCode} ${stderr}`);
}

/** The name of a project's directory contains that of the home directory, which is different in each run. */
function projectSlug({ home }: Start): string {
  return `${home.slice(1).replaceAll("/", "-")}-app`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
