import { type Artifact, readArtifact, readGuidance } from "@caliban/autonomous-memory/node";
import type { CommandMessage } from "@caliban/common";
import type { ExtraBlock } from "@caliban/memory";
import type { Forgotten } from "@caliban/memory/forgotten";
import { learnedDirectory } from "./locations.ts";
import type { OtherSkillLocations } from "./taken-skill-names.ts";

/** What a new session gets of learned memory, all from one generation. */
export interface LearnedMemory {
  readonly blocks: readonly ExtraBlock[];
  /** The directory of that generation's skills. */
  readonly skillsDirectory: string | undefined;
  /** Why existing learned memory is not used. */
  readonly problems: readonly CommandMessage[];
  /** What was left out of it because the user forgot it. */
  readonly notes: readonly CommandMessage[];
}

/** Reads learned memory from a project home. Determines the current generation once. */
export async function readLearnedMemory(
  projectHome: string,
  { maxTokens, forgotten, ...locations }: ReadLearnedInput,
): Promise<LearnedMemory> {
  const {
    body,
    isCut,
    skillsDirectory,
    diagnostics,
    removed = 0,
  } = await readGuidance({
    directory: learnedDirectory(projectHome),
    maxTokens,
    forgotten,
    // Only called when skills were learned, and then the code that loads skills is needed anyway.
    takenNames: async () => (await import("./taken-skill-names.ts")).takenSkillNames(locations),
  });
  const notes = removed === 0 ? [] : [{ message: formatForgotten(removed) }];
  const limit = `memories.summary_injection_token_limit (${maxTokens} tokens)`;
  if (body === undefined) {
    const noRoom = `Learned memory is not in the prompt: ${limit} leaves no room for it.`;
    const problems = isCut ? [{ message: noRoom }] : diagnostics;
    return { blocks: [], skillsDirectory, problems, notes };
  }
  const cut = isCut ? `Truncated to ${limit}; memory://root contains all of it.` : undefined;
  const blocks = [{ path: "memory://root", body, cut }];
  return { blocks, skillsDirectory, problems: diagnostics, notes };
}

interface ReadLearnedInput extends OtherSkillLocations {
  readonly maxTokens: number;
  readonly forgotten: Forgotten | undefined;
}

function formatForgotten(removed: number): string {
  const what = removed === 1 ? "1 forgotten statement is" : `${removed} forgotten statements are`;
  return `${what} left out of learned memory.`;
}

/** Reads a file of learned memory, or lists a directory. */
export async function readLearnedArtifact(
  projectHome: string,
  { path, forgotten }: { readonly path: string; readonly forgotten: Forgotten | undefined },
): Promise<Artifact> {
  const artifact = await readArtifact(learnedDirectory(projectHome), path);
  if (forgotten === undefined || "problem" in artifact) return artifact;
  return { text: forgotten.strip(artifact.text).text };
}
