import { join } from "node:path";
import { type Artifact, readArtifact, readGuidance } from "@caliban/autonomous-memory/node";
import type { ExtraBlock } from "@caliban/memory";

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
  maxTokens: number,
): Promise<LearnedMemory> {
  const directory = learnedDirectory(projectHome);
  const { body, skillsDirectory, diagnostics } = await readGuidance({ directory, maxTokens });
  return {
    blocks: body === undefined ? [] : [{ path: "memory://root", body }],
    skillsDirectory,
    problems: diagnostics,
  };
}

/** Reads one file of what was learned, or lists a directory of it. */
export async function readLearnedArtifact(projectHome: string, path: string): Promise<Artifact> {
  return await readArtifact(learnedDirectory(projectHome), path);
}

function learnedDirectory(projectHome: string): string {
  return join(projectHome, "autonomous");
}
