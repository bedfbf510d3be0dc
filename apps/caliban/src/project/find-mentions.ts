import { workspaceMentions } from "@caliban/memory/node";
import type { Project } from "./project.ts";

/** Finds the words of a text that name the workspace. Loaded by the first change of memory about the user. */
export async function findMentions(
  { environment, workspace }: Pick<Project, "environment" | "workspace">,
  text: string,
): Promise<readonly string[]> {
  return await workspaceMentions({ ...environment, workspace, text });
}
