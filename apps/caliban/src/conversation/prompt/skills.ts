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

/** The skills of a project, and what is wrong with those that were not loaded. */
export interface LoadedProjectSkills {
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

type LearnedSkills = Pick<ProjectMemory, "projectHome" | "learned">;

/** Loads the skills of a project. When auto-memory is off, neither its own skill nor learned skills are loaded. */
export async function loadProjectSkills(
  { environment, options, workspace }: Project,
  { autoMemory, memory }: { readonly autoMemory: boolean; readonly memory: LearnedSkills },
): Promise<LoadedProjectSkills> {
  if (options.bare) return { skills: [], diagnostics: [] };
  const directories = skillDirectories({
    platform: environment.platform,
    workspaceRoot: workspace.root,
    configHome: userDirectories(environment).config,
    generated: autoMemory ? learnedSkills(memory) : undefined,
  });
  const { skills, diagnostics } = await loadSkills({ directories, bundled: bundledSkills() });
  if (autoMemory) return { skills, diagnostics };
  const bundled = new Set(bundledSkills().map(({ name }) => name));
  return { skills: skills.filter(({ name }) => !bundled.has(name)), diagnostics };
}

/** From the same generation as the guidance in the prompt. */
function learnedSkills({
  projectHome,
  learned,
}: LearnedSkills): SkillDirectoriesInput["generated"] {
  const path = learned?.skillsDirectory;
  return path === undefined ? undefined : { path, within: projectHome };
}
