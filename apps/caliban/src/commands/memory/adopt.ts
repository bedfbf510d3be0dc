import { terminalSafeJson } from "@caliban/common";
import { adoptMemory as adopt } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { requireAutoMemory } from "../../project/auto-memory-off.ts";
import { openProject } from "../../project/project.ts";
import { displayPath } from "../user-paths.ts";

/** `caliban memory adopt`: a repository that was moved takes over the memory of its old path. */
export async function adoptMemory(invocation: Invocation): Promise<CommandResult> {
  const project = await openProject(invocation);
  requireAutoMemory(project);
  const { host } = invocation;
  const { from, to } = await adopt({ ...host, workspace: project.workspace });
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ from, to })}\n`
      : `adopted the memory of ${displayPath(host, from)} for ${displayPath(host, to)}\n`,
    exitCode: EXIT.done,
  };
}
