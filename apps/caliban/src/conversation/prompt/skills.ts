import { userDirectories } from "@caliban/common";
import {
  bundledSkills,
  type Skill,
  type SkillDiagnostic,
  skillDirectories,
  type SkillDirectoriesInput,
} from "@caliban/skills";
import { loadSkills } from "@caliban/skills/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";

/** The skills of a session, and what is to be said about those that are not among them. */
export interface SessionSkills {
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Where the notes are turned off, neither their skill nor what was made from them is loaded. */
export async function loadSessionSkills(
  { environment, options, workspace }: Project,
  {
    autoMemory,
    memory,
  }: {
    readonly autoMemory: boolean;
    readonly memory: Pick<ProjectMemory, "projectHome" | "learned">;
  },
): Promise<SessionSkills> {
  if (options.bare) return { skills: [], diagnostics: [] };
  const { config: configHome } = userDirectories(environment);
  const directories = skillDirectories({
    platform: environment.platform,
    workspaceRoot: workspace.root,
    configHome,
    generated: autoMemory ? generatedSkills(memory) : undefined,
  });
  const { skills, diagnostics } = await loadSkills({ directories, bundled: bundledSkills() });
  if (autoMemory) return { skills, diagnostics };
  const names = new Set(bundledSkills().map(({ name }) => name));
  return { skills: skills.filter(({ name }) => !names.has(name)), diagnostics };
}

/** Of the generation whose guidance is in the prompt. */
function generatedSkills({
  projectHome,
  learned,
}: Pick<ProjectMemory, "projectHome" | "learned">): SkillDirectoriesInput["generated"] {
  const path = learned?.skillsDirectory;
  return path === undefined ? undefined : { path, within: projectHome };
}
