import { type Artifact, readArtifact, readGuidance } from "@caliban/autonomous-memory/node";
import type { CommandMessage } from "@caliban/common";
import type { ExtraBlock } from "@caliban/memory";
import { learnedDirectory } from "./locations.ts";
import type { OtherSkillLocations } from "./taken-skill-names.ts";

/** What a new session gets of learned memory, all from one generation. */
export interface LearnedMemory {
  readonly blocks: readonly ExtraBlock[];
  /** The directory of that generation's skills. */
  readonly skillsDirectory: string | undefined;
  /** Why existing learned memory is not used. */
  readonly problems: readonly CommandMessage[];
}

/** Reads learned memory from a project home. Determines the current generation once. */
export async function readLearnedMemory(
  projectHome: string,
  { maxTokens, ...locations }: OtherSkillLocations & { readonly maxTokens: number },
): Promise<LearnedMemory> {
  const { body, isCut, skillsDirectory, diagnostics } = await readGuidance({
    directory: learnedDirectory(projectHome),
    maxTokens,
    // Only called when skills were learned, and then the code that loads skills is needed anyway.
    takenNames: async () => (await import("./taken-skill-names.ts")).takenSkillNames(locations),
  });
  const limit = `memories.summary_injection_token_limit (${maxTokens} tokens)`;
  if (body === undefined) {
    const noRoom = `Learned memory is not in the prompt: ${limit} leaves no room for it.`;
    return { blocks: [], skillsDirectory, problems: isCut ? [{ message: noRoom }] : diagnostics };
  }
  const cut = isCut ? `Truncated to ${limit}; memory://root contains all of it.` : undefined;
  return { blocks: [{ path: "memory://root", body, cut }], skillsDirectory, problems: diagnostics };
}

/** Reads a file of learned memory, or lists a directory. */
export async function readLearnedArtifact(projectHome: string, path: string): Promise<Artifact> {
  return await readArtifact(learnedDirectory(projectHome), path);
}
