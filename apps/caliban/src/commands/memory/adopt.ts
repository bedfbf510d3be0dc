import { abbreviateHome, pathStyleOf, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { adoptMemory as adopt } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { openProject } from "../../project/project.ts";
import { EXIT } from "../../exit-code.ts";
import { requireAutoMemory } from "../../project/auto-memory-off.ts";

/** `caliban memory adopt`: a repository that moved takes its memory with it. */
export async function adoptMemory(invocation: Invocation): Promise<CommandResult> {
  const project = await openProject(invocation);
  requireAutoMemory(project);
  const { host } = invocation;
  const { from, to } = await adopt({ ...host, workspace: project.workspace });
  const shown = (path: string): string =>
    terminalSafeLine(abbreviateHome(pathStyleOf(host.platform), path, host.home));
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ from, to })}\n`
      : `took over the memory of ${shown(from)} for ${shown(to)}\n`,
    exitCode: EXIT.done,
  };
}
