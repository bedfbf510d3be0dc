import { join } from "node:path";
import { type Artifact, readArtifact, readGuidance } from "@caliban/autonomous-memory/node";
import type { ExtraBlock } from "@caliban/memory";
import type { OtherSkillLocations } from "./taken-skill-names.ts";

/** What a new session gets of what was learned from past ones, all of one generation. */
export interface LearnedMemory {
  readonly blocks: readonly ExtraBlock[];
  /** Where the skills of that generation are. */
  readonly skillsDirectory: string | undefined;
  /** Why something that is there is not used, in sentences. */
  readonly problems: readonly string[];
}

/** Reads it from the home of a project, and looks once which generation is current. */
export async function readLearnedMemory(
  projectHome: string,
  { maxTokens, ...places }: OtherSkillLocations & { readonly maxTokens: number },
): Promise<LearnedMemory> {
  const { body, isCut, skillsDirectory, diagnostics } = await readGuidance({
    directory: learnedDirectory(projectHome),
    maxTokens,
    // Asked only where skills were learned, and then what loads skills is needed anyway.
    takenNames: async () => (await import("./taken-skill-names.ts")).takenSkillNames(places),
  });
  const limit = `memories.summary_injection_token_limit (${maxTokens} tokens)`;
  if (body === undefined) {
    const noRoom = `What was learned from past sessions is not in the prompt: ${limit} has no room for it.`;
    return { blocks: [], skillsDirectory, problems: isCut ? [noRoom] : diagnostics };
  }
  const cut = isCut ? `Cut to ${limit}; memory://root has all of it.` : undefined;
  return { blocks: [{ path: "memory://root", body, cut }], skillsDirectory, problems: diagnostics };
}

/** Reads one file of what was learned, or lists a directory of it. */
export async function readLearnedArtifact(projectHome: string, path: string): Promise<Artifact> {
  return await readArtifact(learnedDirectory(projectHome), path);
}

function learnedDirectory(projectHome: string): string {
  return join(projectHome, "autonomous");
}
