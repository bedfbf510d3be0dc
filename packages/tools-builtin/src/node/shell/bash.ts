import { existsSync, realpathSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { ToolContext, ToolResult } from "@caliban/agent-core";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import type { ToolState } from "../tool-state.ts";
import type { FileToolAction } from "../file-tool.ts";
import { FileToolError } from "../file-tool-error.ts";
import { createStreamMask } from "../secret-mask.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import { createCappedOutput, type CappedText } from "./capped-output.ts";
import {
  changedNames,
  takeMemorySnapshot,
  findMemoryPath,
  type MemorySnapshot,
} from "./memory-snapshot.ts";
import { type CommandEnd, type CommandInput, runCommand } from "./run-command.ts";
import { createAnsiStripper } from "./strip-ansi.ts";

const LIMIT_MS = 120_000;
const GRACE_MS = 2_000;

/** Runs a command to its end, and shows what it printed. */
export const bash: FileToolAction<"Bash"> = async (input, session, context) => {
  const { workspace } = session;
  refuseMemoryPath(workspace, input.command);
  const before = takeMemorySnapshot(workspace);
  const startedMs = Date.now();
  const limitMs = input.timeout_ms ?? LIMIT_MS;
  const output = createOutput(workspace);
  const end = await runOrRefuse({
    shell: shellOf(workspace),
    command: input.command,
    directory: workspace.startDirectory,
    env: withoutSecrets(workspace),
    timeoutMs: limitMs,
    graceMs: workspace.killGraceMs ?? GRACE_MS,
    signal: context.signal,
    onOutput: output.push,
  });
  const printed = output.end();
  if (printed.file !== undefined) session.outputFiles.add(realpathSync.native(printed.file));
  const edited = await handEdits(session, { before, startedMs, context });
  const result = resultOf({ end, printed, limitMs });
  return edited === undefined ? result : { ...result, text: `${result.text}\n${edited}` };
};

function refuseMemoryPath(workspace: ToolWorkspace, command: string): void {
  const path = findMemoryPath(workspace, command);
  if (path === undefined) return;
  throw new FileToolError(
    "MEMORY",
    `The command names the memory directory (${path}) and was not run. Use the memory tools: MemorySearch, ReadMemoryTopic, WriteMemoryTopic, DeleteMemoryTopic.`,
  );
}

/** Each step in order, because a secret may be cut by colours, and both by where a piece of output ends. */
function createOutput({ env, secretVariables, outputDirectory }: ToolWorkspace): {
  readonly push: (bytes: Buffer) => void;
  readonly end: () => CappedText;
} {
  const decoder = new StringDecoder("utf8");
  const stripper = createAnsiStripper();
  const mask = createStreamMask(secretVariables.map((name) => env[name]));
  const output = createCappedOutput(outputDirectory);
  return {
    push: (bytes) => output.push(mask.push(stripper.push(decoder.write(bytes)))),
    end: () => {
      output.push(mask.push(stripper.push(decoder.end()) + stripper.end()) + mask.end());
      return output.end();
    },
  };
}

function shellOf({ platform }: ToolWorkspace): string {
  if (platform === "win32") return "bash";
  return existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
}

function withoutSecrets({ env, secretVariables }: ToolWorkspace): Environment {
  // By their values, because the same key may stand under a second name.
  const values = new Set(secretVariables.flatMap((name) => env[name] || []));
  return Object.fromEntries(Object.entries(env).filter(([, value = ""]) => !values.has(value)));
}

/** A shell that does not begin is the machine's matter: the model is told. */
async function runOrRefuse(input: CommandInput): Promise<CommandEnd> {
  try {
    return await runCommand(input);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const hint = existsSync(input.directory)
      ? code === "E2BIG"
        ? "It is too long; write a script and run that."
        : `${input.shell} could not be started (${code}).`
      : "The start directory is gone.";
    throw new FileToolError("UNREADABLE", `The command was not run. ${hint}`, { cause: error });
  }
}

interface Ended {
  readonly end: CommandEnd;
  readonly printed: CappedText;
  readonly limitMs: number;
}

function resultOf({ end, printed, limitMs }: Ended): ToolResult {
  const output = printed.text.replace(/\n+$/, "");
  const isGood = end.exitCode === 0 && end.stopped === undefined;
  const text = `${output === "" ? "No output." : output}\n\n${endInWords(end, limitMs)}`;
  return {
    text: output === "" ? text.replace("\n\n", " ") : text,
    ...(isGood ? {} : { isError: true }),
    data: { ...end, outputFile: printed.file },
  };
}

const STOPPED = "its process group was stopped, and what left it by setsid may still run";

function endInWords({ exitCode, signal, stopped }: CommandEnd, limitMs: number): string {
  const code =
    exitCode === undefined ? `Ended by ${signal ?? "a signal"}.` : `Exit code ${exitCode}.`;
  if (stopped === "interrupted") return `The person interrupted it; ${STOPPED}.`;
  if (stopped === undefined) return code;
  const seconds = `${limitMs / 1000} s`;
  if (exitCode === undefined) {
    return `The time limit of ${seconds} was over; ${STOPPED}. Give more time with timeout_ms, or do less at once.`;
  }
  return `${code} What it left running held its output open up to the time limit of ${seconds}; ${STOPPED}. Send the output of such a program to a file: command >file 2>&1 &`;
}

interface HandEditCheck {
  readonly before: MemorySnapshot;
  readonly startedMs: number;
  readonly context: ToolContext;
}

/** What a command did to memory is kept as if a person had done it, and said. */
async function handEdits(
  { workspace }: ToolState,
  { before, startedMs, context }: HandEditCheck,
): Promise<string | undefined> {
  const names = changedNames(before, takeMemorySnapshot(workspace));
  const isOwn = await Promise.all(
    names.map(async (name) => (await workspace.isOwnMemoryChange?.(name, startedMs)) === true),
  );
  const edited = names.filter((_, index) => isOwn[index] !== true).map(terminalSafeLine);
  if (edited.length === 0) return undefined;
  const line = `memory: changed around the tools, kept as a hand edit: ${edited.join(", ")}`;
  context.notify(line);
  return line;
}
