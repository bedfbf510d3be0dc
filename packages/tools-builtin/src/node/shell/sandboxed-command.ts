import type { Notice, SandboxAccess } from "@caliban/agent-core";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { type DeniedAccess, findDeniedAccess } from "../../sandbox/denied-access.ts";
import { FileToolError } from "../file-tool-error.ts";
import { displayPath } from "../resolve-path.ts";
import type { FinishedSandbox, SandboxedCommand } from "../sandbox/command-sandbox.ts";
import type { SessionSandbox } from "../sandbox/session-sandbox.ts";
import type { ToolState } from "../tool-state.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import type { CommandEnd } from "./run-command.ts";

/** A command that runs in the sandbox. */
export interface PreparedSandbox {
  readonly command: SandboxedCommand;
  /** Undoes changes of protected files. Returns what the model must know about the sandbox. */
  readonly finish: (ended: EndedCommand) => string | undefined;
}

interface EndedCommand {
  readonly end: CommandEnd;
  readonly output: string;
  readonly notify: (notice: Notice) => void;
}

export interface ConfinedCommand {
  readonly command: string;
  readonly env: Environment;
  /** The access that the call was permitted with. */
  readonly access: SandboxAccess | undefined;
}

/** Prepares the sandbox for a command. Returns `undefined` for a command that runs outside of it. */
export async function prepareSandbox(
  state: ToolState,
  { command, env, access }: ConfinedCommand,
): Promise<PreparedSandbox | undefined> {
  const session = await state.sandbox();
  if (session === undefined) return undefined;
  const isAlways = session.settings.mode === "on";
  const granted = isAlways && access !== "read-only" ? "workspace" : access;
  if (granted === undefined || granted === "outside") return undefined;
  const sandbox = await session.open();
  if ("reason" in sandbox) {
    throw new FileToolError(
      "SANDBOX",
      `The command was not run: there is no sandbox (${sandbox.reason}), and [sandbox] mode = "on" lets no command run without one. Tell the user.`,
    );
  }
  const prepared = sandbox.prepare({
    access: granted,
    env,
    readableFiles: [...state.outputFiles],
  });
  const { access: confined } = prepared;
  return {
    command: prepared,
    finish: (ended) => {
      const finished = prepared.finish();
      reportUndone(state.workspace, finished, ended.notify);
      const denied = ended.end.isUnstarted ? "other" : deniedAccess(prepared, ended);
      if (denied !== undefined) session.recordDenied(command, { access: confined, denied });
      const notes = [
        ended.end.isUnstarted
          ? "The sandbox could not be set up, so the command did not run."
          : undefined,
        describeUndone(state.workspace, finished),
        denied && describeDenied({ access: confined, denied, session }),
      ];
      return notes.filter((note) => note !== undefined).join("\n") || undefined;
    },
  };
}

function deniedAccess(
  { network }: SandboxedCommand,
  { end, output }: EndedCommand,
): DeniedAccess | undefined {
  if (end.stopped !== undefined) return undefined;
  return findDeniedAccess(output, { failed: end.exitCode !== 0, network });
}

interface Denied {
  readonly access: Exclude<SandboxAccess, "outside">;
  readonly denied: DeniedAccess;
  readonly session: SessionSandbox;
}

const LIMITS: Readonly<Record<DeniedAccess, string>> = {
  write: "files that it may not change",
  network: "the network",
  other: "something that it may not use",
};

function describeDenied({ access, denied, session: { settings } }: Denied): string {
  const needs = `The command ran in the sandbox, and seems to need ${LIMITS[denied]}.`;
  if (settings.mode === "on") {
    return `${needs} It cannot get more access, because [sandbox] mode is "on".`;
  }
  if (access === "read-only" && denied === "write") {
    return "The command ran in the sandbox, where it can change nothing. If it has to write to the workspace, call Bash again with the same command: the user is asked for write access.";
  }
  return `${needs} If it has to, call Bash again with the same command: the user is asked to run it outside of the sandbox.`;
}

const UNCHECKED =
  "The workspace has too many directories, or some that cannot be listed, so it cannot be searched for protected files. Until that changes, commands in the sandbox cannot write to it.";

function describeUndone(
  workspace: ToolWorkspace,
  { undone, renamed, isComplete }: FinishedSandbox,
): string | undefined {
  const unchecked = isComplete ? [] : [UNCHECKED];
  const names = renamed.map((path) => displayPath(workspace, path)).join(", ");
  const decoded =
    renamed.length === 0
      ? []
      : [`Directories whose names were not valid UTF-8 were renamed: ${names}.`];
  const moved = undone.map(({ path, movedTo }) => {
    const name = displayPath(workspace, path);
    return movedTo === undefined ? name : `${name} (now ${displayPath(workspace, movedTo)})`;
  });
  const text =
    moved.length === 0
      ? []
      : [
          `Commands in the sandbox may not create or change files that other programs run or obey, so these changes were undone: ${moved.join(", ")}. Use Write or Edit for them: the user is asked.`,
        ];
  const all = [...text, ...decoded, ...unchecked];
  return all.length === 0 ? undefined : all.map(terminalSafeLine).join("\n");
}

function reportUndone(
  workspace: ToolWorkspace,
  { undone }: FinishedSandbox,
  notify: (notice: Notice) => void,
): void {
  for (const { path, movedTo } of undone) {
    const name = displayPath(workspace, path);
    const where =
      movedTo === undefined
        ? ""
        : `; it is now ${displayPath(workspace, movedTo)}. Rename it if you trust it`;
    const message = `sandbox: a command created or changed ${name}, which other programs run or obey${where}`;
    notify({ kind: "general", message: terminalSafeLine(message) });
  }
}
