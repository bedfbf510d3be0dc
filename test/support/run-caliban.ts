import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { isAbsolute, join } from "node:path";
import { onTestFinished } from "vitest";
import { root } from "../../scripts/workspace.mjs";
import { childEnvironment } from "./child-environment.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server/model-server.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { writeHome } from "./write-files.ts";

/** The built program. */
export const BIN: string = join(root, "apps/caliban/dist/bin.js");

/**
 * The words that start the program under test: the built one, or the standalone executable that `CALIBAN_EXECUTABLE`
 * names.
 */
export const PROGRAM: readonly [string, ...string[]] = programUnderTest(process.env);

function programUnderTest({ CALIBAN_EXECUTABLE: path }: NodeJS.ProcessEnv) {
  return path === undefined || path === ""
    ? ([process.execPath, BIN] as const)
    : ([isAbsolute(path) ? path : join(root, path)] as const);
}

/** The same as a line for a shell. */
export const PROGRAM_LINE: string = PROGRAM.map((word) => `"${word}"`).join(" ");

/** Whether it is the standalone executable. */
export const IS_EXECUTABLE: boolean = PROGRAM.length === 1;

/** The exit code of a process and everything it printed. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once stdout or stderr contains the text. */
  readonly printed: (text: string) => Promise<void>;
}

interface RunInput {
  /** Written to stdin, which is then closed. Without it, stdin is empty. */
  readonly stdin?: string | Uint8Array;
  /** stdin stays open without data. */
  readonly isStdinOpen?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A home directory with a project `~/app`, in which caliban runs. */
export interface TestHome {
  readonly home: string;
  readonly slug: string;
  readonly start: (args: readonly string[], input?: RunInput) => Running;
  readonly run: (args: readonly string[], input?: RunInput) => Promise<Ended>;
}

/** Has no API key and no settings, so the offline model answers unless `files` configure another one. */
export async function createHome(files: Readonly<Record<string, string>> = {}): Promise<TestHome> {
  const home = await temporaryDirectory();
  const { slug } = await writeHome(home, files);
  const start = (args: readonly string[], input: RunInput = {}): Running =>
    startProcess(home, args, input);
  return { home, slug, start, run: (args, input) => start(args, input).ended };
}

/** A home whose model is a server with scripted answers. */
export async function createHomeWithModel(
  script: Script,
  files: Readonly<Record<string, string>> = {},
): Promise<TestHome & { readonly server: ModelServer }> {
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  // Whether commands ask must not depend on whether this machine has a sandbox.
  const settings = `[models]\ndefault = "local/m"\n\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\n\n[sandbox]\nmode = "off"\n`;
  const home = await createHome({ ".config/caliban/settings.toml": settings, ...files });
  return { ...home, server };
}

function startProcess(home: string, args: readonly string[], input: RunInput): Running {
  const { stdin, isStdinOpen = false, env = {} } = input;
  const hasStdin = stdin !== undefined || isStdinOpen;
  const [file, ...words] = PROGRAM;
  const child = spawn(file, [...words, ...args], {
    cwd: join(home, "app"),
    env: { ...childEnvironment(home), ...env },
    stdio: [hasStdin ? "pipe" : "ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (stdin !== undefined) child.stdin?.end(stdin);
  const output = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (chunk) => {
      output[name] += String(chunk);
      for (const listener of listeners) listener();
    });
  }
  const ended = waitForExit(child);
  const printed = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!(output.stdout + output.stderr).includes(text)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  return { child, ended, printed };
}

/** Resolves when the process has ended and its output is complete. */
export async function waitForExit(child: ChildProcess): Promise<Ended> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => (output.stdout += String(chunk)));
  child.stderr?.on("data", (chunk) => (output.stderr += String(chunk)));
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, ...output };
}

/** Runs a line of bash in `~/app`, where `caliban` is the built program. */
export async function runInShell(home: string, line: string): Promise<Ended> {
  const script = `set -o pipefail; caliban() { ${PROGRAM_LINE} "$@"; }; ${line}`;
  const child = spawn("bash", ["-c", script], {
    cwd: join(home, "app"),
    env: childEnvironment(home),
    stdio: ["ignore", "pipe", "pipe"],
  });
  return await waitForExit(child);
}
