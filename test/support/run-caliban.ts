import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { root } from "../../scripts/workspace.mjs";
import { type ModelServer, type Script, startModelServer } from "./model-server/model-server.ts";
import { temporaryDirectory } from "./temporary-directory.ts";
import { writeHome } from "./write-files.ts";

/** The program as it was built. */
export const BIN: string = join(root, "apps/caliban/dist/bin.js");

/** What a process printed and how it ended. */
interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when this was printed on stdout or stderr. */
  readonly printed: (text: string) => Promise<void>;
}

interface RunInput {
  /** Written to stdin, which then ends; there is none by default. */
  readonly stdin?: string | Uint8Array;
  /** stdin stays open and silent. */
  readonly isStdinOpen?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A home with a project `~/app`, in which caliban is run. */
export interface Household {
  readonly home: string;
  readonly slug: string;
  readonly start: (args: readonly string[], input?: RunInput) => Running;
  readonly run: (args: readonly string[], input?: RunInput) => Promise<Ended>;
}

/** Without a key and without settings, so that the offline model answers, unless the files say otherwise. */
export async function household(files: Readonly<Record<string, string>> = {}): Promise<Household> {
  const home = await temporaryDirectory();
  const { slug } = await writeHome(home, files);
  const start = (args: readonly string[], input: RunInput = {}): Running =>
    startProcess(home, args, input);
  return { home, slug, start, run: (args, input) => start(args, input).ended };
}

/** A household whose model is a server that answers by a script. */
export async function householdWithModel(
  script: Script,
  files: Readonly<Record<string, string>> = {},
): Promise<Household & { readonly server: ModelServer }> {
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  const settings = `[models]\ndefault = "local/m"\n\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\n`;
  const own = await household({ ".config/caliban/settings.toml": settings, ...files });
  return { ...own, server };
}

function startProcess(home: string, args: readonly string[], input: RunInput): Running {
  const { stdin, isStdinOpen = false, env = {} } = input;
  const hasStdin = stdin !== undefined || isStdinOpen;
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: join(home, "app"),
    env: { HOME: home, PATH: process.env["PATH"], ...env },
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
  const ended = once(child, "close").then(([exitCode]: (number | null)[]) => ({
    exitCode: exitCode ?? null,
    ...output,
  }));
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
