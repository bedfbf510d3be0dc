import { resolve } from "node:path";
import { expandTilde, pathStyleOf } from "@caliban/common";
import { adoptMemory as adopt, approveFile } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { moveEnforced } from "../../enforced/change-enforced.ts";
import { requireAutoMemory } from "../../project/auto-memory-off.ts";
import { openProject } from "../../project/project.ts";
import { displayPath } from "../user-paths.ts";
import { output } from "./output.ts";

/** `caliban memory adopt`: a repository that was moved takes over the memory of its old path. */
export async function adoptMemory(invocation: Invocation): Promise<CommandResult> {
  const project = await openProject(invocation);
  requireAutoMemory(project);
  const { host } = invocation;
  const { from, to } = await adopt({ ...host, workspace: project.workspace });
  await moveEnforced(project, { from, to });
  const text = `adopted the memory of ${displayPath(host, from)} for ${displayPath(host, to)}\n`;
  return output(invocation, { data: { from, to }, text });
}

/** `caliban memory approve FILE`: the same as answering "always" when asked about an import. */
export async function approveImport(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const [file = ""] = invocation.operands;
  const { workspace } = await openProject(invocation);
  const expanded = expandTilde(pathStyleOf(host.platform), file, host.home);
  const path = resolve(workspace.startDirectory, expanded);
  const approval = await approveFile({ ...host, path, workspaceRoot: workspace.root });
  const subject = displayPath(host, approval.subject);
  const approvedFor = displayPath(host, approval.workspace);
  const text = `approved ${subject} for ${approvedFor}. If it changes, approve it again\n`;
  return output(invocation, { data: approval, text });
}
