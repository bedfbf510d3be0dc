import { type Artifact, readArtifact, readGuidance } from "@caliban/autonomous-memory/node";
import type { ExtraBlock } from "@caliban/memory";
import type { SkillDirectoriesInput } from "@caliban/skills";
import { learnedDirectory } from "./locations.ts";

/** What a new session gets of learned memory, all from one generation. */
export interface LearnedMemory {
  readonly blocks: readonly ExtraBlock[];
  /** The directory of that generation's skills. */
  readonly skillsDirectory: string | undefined;
  /** Why existing learned memory is not used. */
  readonly problems: readonly string[];
}

/** Where skills are, other than learned ones. */
type OtherSkillLocations = Omit<SkillDirectoriesInput, "generated">;

/** Reads learned memory from a project home. Determines the current generation once. */
export async function readLearnedMemory(
  projectHome: string,
  { maxTokens, ...locations }: OtherSkillLocations & { readonly maxTokens: number },
): Promise<LearnedMemory> {
  const { body, isCut, skillsDirectory, diagnostics } = await readGuidance({
    directory: learnedDirectory(projectHome),
    maxTokens,
    takenNames: async () => await takenSkillNames(locations),
  });
  const problems = diagnostics.map(({ message }) => message);
  const limit = `memories.summary_injection_token_limit (${maxTokens} tokens)`;
  if (body === undefined) {
    const noRoom = `Learned memory is not in the prompt: ${limit} leaves no room for it.`;
    return { blocks: [], skillsDirectory, problems: isCut ? [noRoom] : problems };
  }
  const cut = isCut ? `Truncated to ${limit}; memory://root contains all of it.` : undefined;
  return { blocks: [{ path: "memory://root", body, cut }], skillsDirectory, problems };
}

/** The lower-case names of all skills that are not learned. They take precedence. */
async function takenSkillNames(locations: OtherSkillLocations): Promise<ReadonlySet<string>> {
  // Only needed when skills were learned, and then the code that loads skills is needed anyway.
  const { bundledSkills, skillDirectories } = await import("@caliban/skills");
  const { loadSkills } = await import("@caliban/skills/node");
  const directories = skillDirectories({ ...locations, generated: undefined });
  const { skills } = await loadSkills({ directories, bundled: bundledSkills() });
  return new Set(skills.map(({ name }) => name.toLowerCase()));
}

/** Reads a file of learned memory, or lists a directory. */
export async function readLearnedArtifact(projectHome: string, path: string): Promise<Artifact> {
  return await readArtifact(learnedDirectory(projectHome), path);
}
