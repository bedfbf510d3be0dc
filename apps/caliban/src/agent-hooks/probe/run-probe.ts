import { spawn } from "node:child_process";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { isRecord } from "@caliban/common";
import { createProcessGroup, hasCode, randomHex } from "@caliban/common/node";
import type { Host } from "../../host.ts";
import type { AgentTarget, HookScope } from "../install/agent-targets.ts";
import { type HookDelivery, judgeDelivery } from "./judge-delivery.ts";
import { startLoopbackModel } from "./loopback-model.ts";
import { PROBE_FILE, PROBE_NONCE } from "./probe-event.ts";
import { PROBE_RECIPES, type ProbeRecipe } from "./probe-recipes.ts";

/** The result of running an agent once. */
export type ProbeResult =
  | { readonly kind: "judged"; readonly deliveries: readonly HookDelivery[] }
  /** The program is not on PATH. */
  | { readonly kind: "no-program" }
  /** It ended before it asked the model anything, so nothing is known about its hooks. */
  | { readonly kind: "no-request"; readonly reason: string };

export interface ProbeInput {
  readonly host: Pick<Host, "env" | "onExit">;
  readonly target: AgentTarget;
  readonly scope: HookScope;
  /** The file with the hooks. */
  readonly text: string;
  /** The events with a hook. */
  readonly installed: readonly string[];
  readonly maxMs?: number;
}

const MAX_MS = 90_000;
/** A plugin has hooks for the events of the recipe. */
const PLUGIN = "plugin";

/**
 * Runs an agent with its hooks, a model on this machine and a copy of the configuration, in a directory of its own. Neither
 * the user's files nor the network are used.
 */
export async function runProbe(input: ProbeInput): Promise<ProbeResult> {
  const { host, target } = input;
  const program = findProgram(host.env["PATH"] ?? "", target.program);
  if (program === undefined) return { kind: "no-program" };
  const recipe = PROBE_RECIPES[target.agent];
  const directory = mkdtempSync(join(tmpdir(), "caliban-probe-"));
  const model = await startLoopbackModel(recipe);
  try {
    const [home, workspace] = [join(directory, "home"), join(directory, "workspace")];
    const nonce = randomHex(16);
    const log = join(directory, "hooks.log");
    const { args, env, files = {}, settings = {} } = recipe.start({ url: model.url, home });
    writeCopies(input, { recipe, home, workspace, files, settings });
    const ended = await runAgent(input, {
      program,
      args,
      cwd: workspace,
      env: { ...baseEnvironment(host.env, home), ...env, [PROBE_NONCE]: nonce, [PROBE_FILE]: log },
    });
    if (model.requests.length === 0) return { kind: "no-request", reason: ended };
    const events = [...recipe.before, recipe.after];
    const installed = input.installed.includes(PLUGIN) ? events : input.installed;
    const { requests } = model;
    return {
      kind: "judged",
      deliveries: judgeDelivery({ recipe, nonce, installed, requests, log: readLog(log) }),
    };
  } finally {
    await model.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

function findProgram(path: string, name: string): string | undefined {
  return path
    .split(delimiter)
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Missing, or not a program.
    return false;
  }
}

/** Without keys, proxies and other settings of the user. */
function baseEnvironment(env: Host["env"], home: string): Readonly<Record<string, string>> {
  const kept = ["PATH", "LANG", "LC_ALL", "TMPDIR", "SystemRoot", "COMSPEC", "PATHEXT"];
  const values = kept.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(values), HOME: home, USERPROFILE: home, NO_COLOR: "1", CI: "1" };
}

interface Copies {
  readonly recipe: ProbeRecipe;
  readonly home: string;
  readonly workspace: string;
  readonly files: Readonly<Record<string, object>>;
  readonly settings: Readonly<Record<string, object>>;
}

function writeCopies(
  { target, scope, text }: ProbeInput,
  { recipe, home, workspace, files, settings }: Copies,
): void {
  const directory =
    scope === "user" ? recipe.userDirectory(home) : join(workspace, target.projectDirectory);
  mkdirSync(workspace, { recursive: true });
  mkdirSync(recipe.userDirectory(home), { recursive: true });
  const copy = target.content.kind === "plugin" ? text : onlyHooks(text, settings);
  for (const [path, content] of [
    ...Object.entries(files).map(
      ([name, file]) => [join(home, name), JSON.stringify(file)] as const,
    ),
    [join(directory, target.file[scope]), copy] as const,
  ]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o600 });
  }
}

/** Neither keys nor what would lead the agent to another model. */
const KEPT = /^(?:hooks.*|.*hooks|disableAllHooks)$/i;

function onlyHooks(text: string, settings: Copies["settings"]): string {
  const own: unknown = parse(text, [], { allowTrailingComma: true });
  const kept = isRecord(own) ? Object.entries(own).filter(([name]) => KEPT.test(name)) : [];
  return JSON.stringify({ ...Object.fromEntries(kept), ...settings });
}

interface AgentRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs it to its end, or kills it with everything that it started. Returns how it ended. */
async function runAgent(
  { host, maxMs = MAX_MS }: ProbeInput,
  { program, args, cwd, env }: AgentRun,
): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const group = createProcessGroup(child);
  const stopListening = host.onExit(() => void group.signal("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARACTERS);
    });
  const ended = await new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(`it did not end within ${maxMs / 1_000} s`), maxMs);
    child.on("error", ({ message }) => {
      clearTimeout(timer);
      resolve(message);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve(`it ended with exit code ${code ?? "none"}: ${lastLine(output)}`);
    });
  });
  group.signal("SIGKILL");
  stopListening();
  return ended;
}

const MAX_OUTPUT_CHARACTERS = 4_000;

function lastLine(output: string): string {
  return output.trimEnd().split("\n").at(-1)?.slice(0, 300) ?? "";
}

function readLog(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  }
}
