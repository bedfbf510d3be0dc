import type { ToolContext } from "@caliban/agent-core";
import { FileToolError } from "../file-tool-error.ts";
import type { FileToolAction, FileToolResult } from "../file-tool.ts";
import type { BackgroundCommand, ToolState } from "../tool-state.ts";
import { commandInput, runOrReport } from "./bash.ts";
import { createNewOutput } from "./new-output.ts";
import type { CommandEnd } from "./run-command.ts";
import { prepareSandbox } from "./sandboxed-command.ts";

const MAX_RUNNING = 8;

/** Starts a command that runs while the conversation continues. It ends with this process at the latest. */
export async function startInBackground(
  state: ToolState,
  command: string,
  context: ToolContext,
): Promise<FileToolResult> {
  const { background, workspace } = state;
  const unfinished = [...background.values()].filter(({ ended }) => ended() === undefined);
  if (unfinished.length >= MAX_RUNNING) {
    throw new FileToolError(
      "BUSY",
      `${MAX_RUNNING} commands are running in the background. Stop one with BashOutput first.`,
    );
  }
  const input = commandInput(workspace, command);
  const { access, notify } = context;
  const sandbox = await prepareSandbox(state, { command, env: input.env, access });
  const output = createNewOutput(workspace);
  const controller = new AbortController();
  let ended: string | undefined;
  const running = runOrReport({
    ...input,
    env: sandbox?.command.env ?? input.env,
    isBackground: true,
    signal: controller.signal,
    sandbox: sandbox?.command,
    onOutput: output.push,
  });
  const follow = async (): Promise<void> => {
    try {
      const end = await running;
      output.end();
      const note = sandbox?.finish({ end, output: output.peek(), notify });
      const text = end.stopped === undefined ? describeExit(end) : "Stopped.";
      ended = note === undefined ? text : `${text}\n${note}`;
    } catch (error) {
      ended = error instanceof Error ? error.message : String(error);
    }
  };
  const finished = follow();
  const id = `bash_${background.size + 1}`;
  const stop = async (): Promise<void> => {
    controller.abort();
    await finished;
  };
  background.set(id, { command, takeOutput: output.take, ended: () => ended, stop });
  const text = `Running in the background as ${id}. Read its output or stop it with BashOutput. It ends when caliban ends.`;
  return { text, data: { isBackground: true } };
}

/** Shows what a background command has printed since the last call, and stops it if asked to. */
export const bashOutput: FileToolAction<"BashOutput"> = async ({ id, stop }, { background }) => {
  const found = background.get(id);
  if (found === undefined) {
    const known = [...background.keys()].join(", ");
    const hint =
      known === "" ? "None was started since this session was opened." : `Known: ${known}.`;
    throw new FileToolError(
      "MISSING",
      `There is no background command ${JSON.stringify(id)}. ${hint}`,
    );
  }
  if (stop === true) await found.stop();
  return toResult(found);
};

function toResult({ takeOutput, ended }: BackgroundCommand): FileToolResult {
  const end = ended();
  const { text, lines } = takeOutput();
  const output = text.replace(/\n+$/, "");
  const state = end ?? "Still running.";
  return {
    text: `${output === "" ? "No new output." : `${output}\n`}\n${state}`,
    data: { lines, isRunning: end === undefined },
  };
}

function describeExit({ exitCode, signal }: CommandEnd): string {
  return exitCode === undefined ? `Ended by ${signal ?? "a signal"}.` : `Exit code ${exitCode}.`;
}
