import { resolve } from "node:path";
import { expandTilde, pathStyleOf } from "@caliban/common";
import { approveFile } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { openProject } from "../../project/project.ts";
import { displayPath } from "../user-paths.ts";
import { output } from "./output.ts";

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
