import { resolve } from "node:path";
import {
  abbreviateHome,
  expandTilde,
  pathStyleOf,
  terminalSafeJson,
  terminalSafeLine,
} from "@caliban/common";
import { approveFile } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { openProject } from "../../project/project.ts";
import { EXIT } from "../../exit-code.ts";

/** `caliban memory approve FILE`: what a person would answer "always" to. */
export async function approveImport(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const [file = ""] = invocation.operands;
  const style = pathStyleOf(host.platform);
  const { workspace } = await openProject(invocation);
  const path = resolve(workspace.startDirectory, expandTilde(style, file, host.home));
  const approval = await approveFile({ ...host, path, workspaceRoot: workspace.root });
  const shown = (place: string): string =>
    terminalSafeLine(abbreviateHome(style, place, host.home));
  return {
    stdout: invocation.json
      ? `${terminalSafeJson(approval)}\n`
      : `approved ${shown(approval.subject)} for ${shown(approval.workspace)}, as it is now; when it changes, it needs approval again\n`,
    exitCode: EXIT.done,
  };
}
