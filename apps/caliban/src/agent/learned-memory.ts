import { join } from "node:path";
import { type Artifact, readArtifact, readGuidance } from "@caliban/autonomous-memory/node";
import type { ExtraBlock } from "@caliban/memory";
import { bundledSkills, skillDirectories, type SkillDirectoriesInput } from "@caliban/skills";
import { loadSkills } from "@caliban/skills/node";

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
  {
    maxTokens,
    ...places
  }: Pick<SkillDirectoriesInput, "platform" | "workspaceRoot" | "configHome"> & {
    readonly maxTokens: number;
  },
): Promise<LearnedMemory> {
  const { body, isCut, skillsDirectory, diagnostics } = await readGuidance({
    directory: learnedDirectory(projectHome),
    maxTokens,
    takenNames: () => namesOfOthers(places),
  });
  const limit = `memories.summary_injection_token_limit (${maxTokens} tokens)`;
  if (body === undefined) {
    const noRoom = `What was learned from past sessions is not in the prompt: ${limit} has no room for it.`;
    return { blocks: [], skillsDirectory, problems: isCut ? [noRoom] : diagnostics };
  }
  const cut = isCut ? `Cut to ${limit}; memory://root has all of it.` : undefined;
  return { blocks: [{ path: "memory://root", body, cut }], skillsDirectory, problems: diagnostics };
}

/** The names of the skills that are not learned, which come first. */
async function namesOfOthers(
  places: Omit<SkillDirectoriesInput, "generated">,
): Promise<ReadonlySet<string>> {
  const directories = skillDirectories({ ...places, generated: undefined });
  const { skills } = await loadSkills({ directories, bundled: bundledSkills() });
  return new Set(skills.map(({ name }) => name.toLowerCase()));
}

/** Reads one file of what was learned, or lists a directory of it. */
export async function readLearnedArtifact(projectHome: string, path: string): Promise<Artifact> {
  return await readArtifact(learnedDirectory(projectHome), path);
}

function learnedDirectory(projectHome: string): string {
  return join(projectHome, "autonomous");
}
