import { existsSync, realpathSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { ToolContext, ToolResult } from "@caliban/agent-core";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { FileToolError } from "../file-tool-error.ts";
import type { FileToolAction } from "../file-tool.ts";
import { createStreamMask } from "../secret-mask.ts";
import type { ToolState } from "../tool-state.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import { type CappedText, createCappedOutput } from "./capped-output.ts";
import { createLiveOutput } from "./live-output.ts";
import {
  changedNames,
  findMemoryPath,
  isOwnMemoryChange,
  type MemorySnapshot,
  takeMemorySnapshot,
} from "./memory-changes.ts";
import { type CommandEnd, type CommandInput, runCommand } from "./run-command.ts";
import { type PreparedSandbox, prepareSandbox } from "./sandboxed-command.ts";
import { createAnsiStripper } from "./strip-ansi.ts";

const TIMEOUT_MS = 120_000;
const KILL_GRACE_MS = 2_000;

/** Runs a command to its end and shows its output. */
export const bash: FileToolAction<"Bash"> = async (input, state, context) => {
  const { workspace } = state;
  rejectMemoryPath(workspace, input.command);
  await state.readyForCommands();
  if (input.run_in_background === true) {
    const { startInBackground } = await import("./background.ts");
    return await startInBackground(state, input.command, context);
  }
  const before = takeMemorySnapshot(workspace);
  const startedMs = Date.now();
  const timeoutMs = input.timeout_ms ?? TIMEOUT_MS;
  const { end, printed, sandbox } = await runInSandbox(state, {
    command: input.command,
    timeoutMs,
    context,
  });
  if (printed.file !== undefined) state.outputFiles.add(realpathSync.native(printed.file));
  const memoryNote = await reportMemoryChanges(workspace, { before, startedMs, context });
  const endsTogether = sandbox?.command.reportsStatus === true;
  const result = toResult({ end, printed, timeoutMs, endsTogether });
  const sandboxNote = sandbox?.finish({ end, output: printed.text, notify: context.notify });
  const notes = [sandboxNote, memoryNote].filter((note) => note !== undefined);
  return notes.length === 0 ? result : { ...result, text: [result.text, ...notes].join("\n") };
};

interface RunInput {
  readonly command: string;
  readonly timeoutMs: number;
  readonly context: ToolContext;
}

interface RunOutput {
  readonly end: CommandEnd;
  readonly printed: CappedText;
  /** `undefined` for a command that ran outside of the sandbox. */
  readonly sandbox: PreparedSandbox | undefined;
}

const MAX_SETUPS = 3;

/** A sandbox cannot be set up if one of the files it hides is removed at that moment, so that is tried again. */
async function runInSandbox(state: ToolState, input: RunInput, setups = 1): Promise<RunOutput> {
  const { workspace } = state;
  const { command, timeoutMs, context } = input;
  const ran = commandInput(workspace, command);
  const { env } = ran;
  const sandbox = await prepareSandbox(state, { command, env, access: context.access });
  const output = createOutput(workspace, context.progress);
  const end = await runOrReport({
    ...ran,
    env: sandbox?.command.env ?? env,
    timeoutMs,
    signal: context.signal,
    sandbox: sandbox?.command,
    onOutput: output.push,
  });
  if (end.isUnstarted && setups < MAX_SETUPS) return await runInSandbox(state, input, setups + 1);
  return { end, printed: output.end(), sandbox };
}

/** What every command has in common. */
export function commandInput(
  workspace: ToolWorkspace,
  command: string,
): Pick<CommandInput, "shell" | "command" | "directory" | "env" | "graceMs"> {
  return {
    shell: findShell(workspace),
    command,
    directory: workspace.startDirectory,
    env: withoutSecrets(workspace),
    graceMs: workspace.killGraceMs ?? KILL_GRACE_MS,
  };
}

function rejectMemoryPath(workspace: ToolWorkspace, command: string): void {
  const path = findMemoryPath(workspace, command);
  if (path === undefined) return;
  throw new FileToolError(
    "MEMORY",
    `The command names the memory directory (${path}) and was not run. Use the memory tools: MemorySearch, ReadMemoryTopic, WriteMemoryTopic, DeleteMemoryTopic.`,
  );
}

/** The order matters: colors may split a secret, and the end of a chunk may split both. */
function createOutput(
  { env, secretVariables, outputDirectory }: ToolWorkspace,
  progress: ToolContext["progress"],
): {
  readonly push: (bytes: Buffer) => void;
  readonly end: () => CappedText;
} {
  const decoder = new StringDecoder("utf8");
  const stripper = createAnsiStripper();
  const mask = createStreamMask(secretVariables.map((name) => env[name]));
  const output = createCappedOutput(outputDirectory);
  const live = createLiveOutput(progress);
  return {
    push: (bytes) => {
      const text = mask.push(stripper.push(decoder.write(bytes)));
      output.push(text);
      live.push(text);
    },
    end: () => {
      live.end();
      output.push(mask.push(stripper.push(decoder.end()) + stripper.end()) + mask.end());
      return output.end();
    },
  };
}

function findShell({ platform }: ToolWorkspace): string {
  if (platform === "win32") return "bash";
  return existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
}

function withoutSecrets({ env, secretVariables }: ToolWorkspace): Environment {
  // By value, because the same key may be in another variable too.
  const values = new Set(secretVariables.flatMap((name) => env[name] || []));
  return Object.fromEntries(Object.entries(env).filter(([, value = ""]) => !values.has(value)));
}

/** A shell that cannot be started is not a bug of ours, so the model is told. */
export async function runOrReport(input: CommandInput): Promise<CommandEnd> {
  try {
    return await runCommand(input);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const hint = existsSync(input.directory)
      ? code === "E2BIG"
        ? "It is too long. Write a script and run that instead."
        : `${input.shell} could not be started (${code}).`
      : "The start directory no longer exists.";
    throw new FileToolError("UNREADABLE", `The command was not run. ${hint}`, { cause: error });
  }
}

interface FinishedCommand {
  readonly end: CommandEnd;
  readonly printed: CappedText;
  readonly timeoutMs: number;
  /** Whether everything that a command started ends with it. */
  readonly endsTogether: boolean;
}

function toResult({ end, printed, timeoutMs, endsTogether }: FinishedCommand): ToolResult {
  const output = printed.text.replace(/\n+$/, "");
  const isSuccess = end.exitCode === 0 && end.stopped === undefined;
  const ended = describeEnd(end, { timeoutMs, stop: endsTogether ? STOPPED_SANDBOX : STOPPED });
  const text = `${output === "" ? "No output." : output}\n\n${ended}`;
  return {
    text: output === "" ? text.replace("\n\n", " ") : text,
    ...(isSuccess ? {} : { isError: true }),
    data: {
      ended,
      lines: printed.lines,
      exitCode: end.exitCode,
      signal: end.signal,
      stopped: end.stopped,
      outputFile: printed.file,
    },
  };
}

const STOPPED =
  "Its process group was stopped; processes that left the group with setsid may still be running.";

const STOPPED_SANDBOX = "Everything it started was stopped.";

function describeEnd(
  { exitCode, signal, stopped }: CommandEnd,
  { timeoutMs, stop }: { readonly timeoutMs: number; readonly stop: string },
): string {
  const code =
    exitCode === undefined ? `Ended by ${signal ?? "a signal"}.` : `Exit code ${exitCode}.`;
  if (stopped === "interrupted") return `Interrupted by the user. ${stop}`;
  if (stopped === undefined) return code;
  const seconds = `${timeoutMs / 1000} s`;
  if (exitCode === undefined) {
    return `Timed out after ${seconds}. ${stop} Raise timeout_ms, or do less at once.`;
  }
  return `${code} A background process kept the output open until the timeout of ${seconds}. ${stop} Redirect the output of such a process to a file: command >file 2>&1 &`;
}

interface MemoryCheck {
  readonly before: MemorySnapshot;
  readonly startedMs: number;
  readonly context: ToolContext;
}

/** Reports changes that a command made to memory. They are treated like edits by the user. */
async function reportMemoryChanges(
  workspace: ToolWorkspace,
  { before, startedMs, context }: MemoryCheck,
): Promise<string | undefined> {
  const names = changedNames(before, takeMemorySnapshot(workspace));
  const isOwn = await Promise.all(
    names.map((name) => isOwnMemoryChange(workspace, { name, sinceMs: startedMs })),
  );
  const edited = names.filter((_, index) => !isOwn[index]).map(terminalSafeLine);
  if (edited.length === 0) return undefined;
  const message = `memory: changed outside the memory tools and kept as a manual edit: ${edited.join(", ")}`;
  context.notify({ kind: "memory", message });
  return message;
}
