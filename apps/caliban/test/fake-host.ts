import { join } from "node:path";
import { shellCommand } from "@caliban/common";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { writeHome } from "../../../test/support/write-files.ts";
import type { Host } from "../src/host.ts";
import { run } from "../src/run.ts";

/** The output and exit code of a run, with the temporary home shown as `~`. */
interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Machine {
  readonly home: string;
  readonly slug: string;
  readonly caliban: (...argv: readonly string[]) => Promise<Outcome>;
  /** The host as the program sees it. Its output is discarded. */
  readonly host: Host;
  readonly with: (changes: Partial<Host>) => Machine;
}

/** Creates a home directory with a project `~/app`. */
export async function machine(files: Readonly<Record<string, string>> = {}): Promise<Machine> {
  const home = await temporaryDirectory();
  const { slug } = await writeHome(home, files);
  return machineAt({ home, slug, changes: {} });
}

function machineAt(input: {
  readonly home: string;
  readonly slug: string;
  readonly changes: Partial<Host>;
}): Machine {
  const { home, slug, changes } = input;
  const host: Host = {
    argv: [],
    // Threads and processes that the program starts load compiled code from there.
    env: { HOME: home, NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] },
    platform: "linux",
    cwd: join(home, "app"),
    home,
    version: "1.2.3",
    nodeVersion: "v24.0.0",
    program: ["node", "caliban"],
    isTerminal: false,
    hasColor: () => false,
    hasBold: false,
    columns: () => undefined,
    isInteractive: () => false,
    now: () => Date.parse("2026-11-16T12:00:00Z"),
    inputKind: () => "none",
    readInput: async () => "",
    readInputWithin: async () => "",
    inputLines: noLines,
    openPipe: async () => ({
      input: noBytes(),
      write: async () => undefined,
      hasRoom: async () => undefined,
      close: () => undefined,
    }),
    onInterrupt: () => () => undefined,
    stopJob: async () => false,
    onContinue: () => () => undefined,
    onEnd: () => undefined,
    onExit: () => () => undefined,
    hideVariables: async () => undefined,
    confirm: async () => false,
    choose: async () => undefined,
    openEditor: async () => 1,
    progressLine: () => undefined,
    command: shellCommand,
    stdout: () => undefined,
    stderr: () => undefined,
    report: (message) => host.stderr(`caliban: ${message}\n`),
    ...changes,
  };
  return {
    home,
    slug,
    host,
    with: (more) => machineAt({ home, slug, changes: { ...changes, ...more } }),
    caliban: async (...argv) => {
      const printed = { stdout: "", stderr: "" };
      const running: Host = {
        ...host,
        argv,
        stdout: (text) => void (printed.stdout += text),
        stderr: (text) => void (printed.stderr += text),
        report: (message) => running.stderr(`caliban: ${message}\n`),
        ...changes,
      };
      const exitCode = await run(running);
      const neutral = (text: string): string => text.replaceAll(slug, "SLUG").replaceAll(home, "~");
      return { exitCode, stdout: neutral(printed.stdout), stderr: neutral(printed.stderr) };
    },
  };
}

async function* noLines(): AsyncGenerator<string> {}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
