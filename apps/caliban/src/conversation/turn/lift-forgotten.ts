import { isMemoryError } from "@caliban/memory";
import { openProjectForgotten, hasForgotten } from "../../project/forgotten.ts";
import type { ConversationState } from "./state.ts";

/**
 * What the user says again is no longer forgotten. Done before the agent can act on it, and without loading anything unless
 * something was forgotten.
 */
export async function liftForgotten({ agent }: ConversationState, text: string): Promise<void> {
  // Without it, the session neither writes topics nor changes what is remembered.
  if (agent.search === undefined || text.trim() === "") return;
  const { project, projectHome } = agent;
  const location = { ...project.environment, workspace: project.workspace };
  if (projectHome === undefined || !hasForgotten(projectHome, location)) return;
  try {
    await (await openProjectForgotten(projectHome, location)).liftSaid(text);
  } catch (error) {
    // The answer does not need it; a write that is refused says why.
    if (!isMemoryError(error)) throw error;
  }
}
