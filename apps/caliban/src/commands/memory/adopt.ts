import { adoptMemory as adopt } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../command.ts";
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
  const text = `adopted the memory of ${displayPath(host, from)} for ${displayPath(host, to)}\n`;
  return output(invocation, { data: { from, to }, text });
}
