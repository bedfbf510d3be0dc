import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { mkdtemp, realpath } from "node:fs/promises";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createToolRunner,
  type PermissionAnswer,
  type PermissionPolicy,
  type ToolResult,
} from "@caliban/agent-core";
import { root as checkout } from "../../../../scripts/workspace.mjs";
import { hasTool } from "../../../../test/support/optional-tool.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";
import { createFileTools } from "../../src/node/file-tools.ts";
import { findSandbox } from "../../src/node/sandbox/find-sandbox.ts";
import type { SandboxSettings, ToolWorkspace } from "../../src/node/tool-workspace.ts";

/** Whether bubblewrap works here. `CALIBAN_REQUIRE=bwrap` makes it an error if it does not. */
export const hasBubblewrap: boolean = await hasTool("bwrap", async () => {
  const found = await findSandbox({
    env: process.env,
    platform: process.platform,
    untrustedDirectories: [],
    needsProxy: true,
  });
  if (found.kind !== "bubblewrap") throw new Error("reason" in found ? found.reason : found.kind);
});

export const SECRET = "c2VjcmV0LW9mLXRoZS11c2Vy";
const PROVIDER_KEY = "a2V5LW9mLXRoZS1wcm92aWRlcg";

/** A home directory with secrets and a project, and services on the same machine. */
export interface SandboxHome {
  readonly home: string;
  readonly root: string;
  /** Runs a command. No question is answered with yes. */
  readonly run: (command: string, input?: RunInput) => Promise<ToolResult>;
  /** Every file outside of `app/work`, as a text that changes when anything does. */
  readonly snapshot: () => string;
  /** How often a command has reached one of the services. */
  readonly connections: () => number;
  readonly isCanaryAlive: () => boolean;
  readonly env: Readonly<Record<string, string>>;
  /** The reasons of the questions so far. */
  readonly questions: readonly string[];
  readonly notices: readonly string[];
  readonly dispose: () => void;
}

interface RunInput {
  readonly mode?: PermissionPolicy["mode"];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The answer to every question. Without it, no one can be asked. */
  readonly answer?: PermissionAnswer;
}

/** Runs git in a home directory of these tests, without a sandbox. */
export function git(home: string, directory: string, ...args: readonly string[]): string {
  const env = { PATH: process.env["PATH"], HOME: home };
  return execFileSync("git", args, { cwd: directory, env, encoding: "utf8" });
}

/** Not below /tmp, of which commands see a version of their own. */
const BASE = "/var/tmp";

/** Creates a home directory that is removed when the test ends. */
export async function createSandboxHome(
  ...args: Parameters<typeof openSandboxHome>
): Promise<SandboxHome> {
  // Not at the top, because `bench/attack` opens homes outside of a test.
  const { onTestFinished } = await import("vitest");
  const home = await openSandboxHome(...args);
  onTestFinished(home.dispose);
  return home;
}

/** Creates a home directory for several tests. */
export async function openSandboxHome(
  settings: Partial<SandboxSettings> = {},
  change: (home: string) => Partial<ToolWorkspace> = () => ({}),
): Promise<SandboxHome> {
  const home = await realpath(await mkdtemp(join(BASE, "caliban-")));
  cpSync(await (template ??= createTemplate()), home, { recursive: true, verbatimSymlinks: true });
  const root = join(home, "app");
  const temporary = await mkdtemp(join(tmpdir(), "caliban-"));
  const services = await startServices(home);
  const env = {
    HOME: home,
    PATH: process.env["PATH"] ?? "",
    NODE: process.execPath,
    OUT: join(home, "outside"),
    CANARY: String(services.canary),
    PORT: String(services.port),
    SOCKET: services.socket,
    // Masked in the output, unlike the secret.
    PROVIDER_KEY,
  };
  const tools = createFileTools({
    root,
    home,
    env,
    secretVariables: ["PROVIDER_KEY"],
    memoryDirectory: join(home, ".local/share/caliban/memory"),
    outputDirectory: () => join(home, "outputs"),
    killGraceMs: 200,
    sandbox: {
      mode: "auto",
      // Node is in this checkout, which may be below /tmp.
      readablePaths: [checkout],
      temporaryDirectory: () => temporary,
      hiddenPaths: [".config/caliban", ".local/share/caliban", ".local/state/caliban"].map((name) =>
        join(home, name),
      ),
      ...settings,
    },
    ...change(home),
  });
  const [questions, notices]: [string[], string[]] = [[], []];
  return {
    home,
    root,
    env,
    questions,
    notices,
    run: async (command, { mode = "accept-edits", timeoutMs = 60_000, signal, answer } = {}) => {
      const runner = createToolRunner({
        tools,
        policy: { allow: [], ask: [], deny: [], mode },
        notify: ({ message }) => void notices.push(message),
        ...(answer === undefined
          ? {}
          : {
              ask: async ({ reason }) => {
                questions.push(reason);
                return answer;
              },
            }),
      });
      return await runner.run({ name: "Bash", input: { command, timeout_ms: timeoutMs }, signal });
    },
    dispose: () => {
      services.stop();
      for (const path of [home, temporary]) rmSync(path, { recursive: true, force: true });
    },
    snapshot: () => describeTree(home),
    connections: services.connections,
    isCanaryAlive: services.isCanaryAlive,
  };
}

const FILES: Readonly<Record<string, string>> = {
  ".ssh/id_ed25519": SECRET,
  ".aws/credentials": SECRET,
  ".gnupg/private": SECRET,
  ".netrc": SECRET,
  ".npmrc": SECRET,
  ".kube/config": SECRET,
  ".docker/config.json": SECRET,
  ".config/gh/hosts.yml": SECRET,
  ".bash_history": SECRET,
  ".claude/.credentials.json": SECRET,
  ".codex/auth.json": SECRET,
  ".gemini/oauth.json": SECRET,
  ".config/caliban/settings.toml": SECRET,
  ".local/share/caliban/memory/topic.md": SECRET,
  ".local/state/caliban/mcp-token": SECRET,
  ".bashrc": "# mine\n",
  "outside/victim": "mine\n",
  "app/.envrc": "# mine\n",
  "app/.vscode/tasks.json": "{}\n",
  "app/.github/workflows/ci.yml": "on: push\n",
  "app/.github/labels.yml": "a\n",
  "app/CLAUDE.md": "mine\n",
  "app/sub/AGENTS.md": "mine\n",
  "app/sub/a.ts": "export {};\n",
  "app/package.json": `{"name":"app","scripts":{"test":"node --version"}}\n`,
  "app/tools/hook.sh": "true\n",
  "app/work/a.txt": "a\n",
};

let template: Promise<string> | undefined;

/** Created once per process, because a repository takes several processes. */
async function createTemplate(): Promise<string> {
  const home = await realpath(await mkdtemp(join(BASE, "caliban-")));
  removeAtEnd(home);
  await writeFiles(home, FILES);
  symlinkSync("tools", join(home, "app/.cursor"));
  createRepository(join(home, "app"), home);
  return home;
}

/** Test processes are killed at their end, so another one waits for that: then, its input is closed. */
function removeAtEnd(directory: string): void {
  const waiting = spawn("sh", ["-c", 'cat; rm -rf "$0"', directory], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  waiting.unref();
  if (waiting.stdin instanceof Socket) waiting.stdin.unref();
}

function createRepository(root: string, home: string): void {
  for (const command of [
    ["init", "--quiet", "--initial-branch=main"],
    ["config", "user.name", "Test"],
    ["config", "user.email", "test@example.com"],
    ["config", "diff.tool.textconv", "sh tools/hook.sh"],
    ["add", "--all"],
    ["commit", "--quiet", "--message", "first"],
  ]) {
    git(home, root, ...command);
  }
  const hooks = readdirSync(join(root, ".git/hooks")).slice(1);
  for (const name of hooks) rmSync(join(root, ".git/hooks", name));
}

interface Services {
  readonly canary: number;
  readonly port: number;
  readonly socket: string;
  readonly connections: () => number;
  readonly isCanaryAlive: () => boolean;
  readonly stop: () => void;
}

/** A process with a secret in its environment, and two services that count their connections. */
async function startServices(home: string): Promise<Services> {
  const canary = spawn("sleep", ["600"], { env: { SECRET }, stdio: "ignore" });
  let [isAlive, connections] = [true, 0];
  canary.once("exit", () => {
    isAlive = false;
  });
  const server = (): ReturnType<typeof createServer> =>
    createServer((socket) => {
      connections += 1;
      socket.end(SECRET);
    });
  const [tcp, unix] = [server(), server()];
  const socket = join(home, "service.sock");
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => unix.listen(socket, resolve));
  const address = tcp.address();
  return {
    canary: canary.pid ?? 0,
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    socket,
    connections: () => connections,
    isCanaryAlive: () => isAlive,
    stop: () => {
      canary.kill("SIGKILL");
      tcp.close();
      unix.close();
    },
  };
}

// What a commit changes, and what belongs to the tests.
const VOLATILE =
  /^(?:app\/work|outputs|app\/\.git\/(?:index|objects|logs|refs|COMMIT_EDITMSG))|\.blocked/;

function describeTree(home: string): string {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) => !VOLATILE.test(name))
    .toSorted()
    .map((name) => `${name}: ${describeFile(join(home, name))}`)
    .join("\n");
}

function describeFile(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  const mode = (stats.mode & 0o7777).toString(8);
  return stats.isFile() ? `${mode} ${readFileSync(path, "utf8")}` : mode;
}
