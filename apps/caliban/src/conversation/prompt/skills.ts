import { userDirectories } from "@caliban/common";
import { bundledSkills, type ResolvedSkills, skillDirectories } from "@caliban/skills";
import { loadSkills } from "@caliban/skills/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";

export interface ProjectSkillsInput {
  /** When it is off, neither its own skill nor learned skills are loaded. */
  readonly autoMemory: boolean;
  readonly memory: Pick<ProjectMemory, "projectHome" | "learned">;
}

/** Loads the skills of a project. */
export async function loadProjectSkills(
  { environment, options, workspace }: Project,
  { autoMemory, memory }: ProjectSkillsInput,
): Promise<ResolvedSkills> {
  if (options.bare) return { skills: [], diagnostics: [] };
  // From the same generation as the guidance in the prompt.
  const path = memory.learned?.skillsDirectory;
  const directories = skillDirectories({
    platform: environment.platform,
    workspaceRoot: workspace.root,
    configHome: userDirectories(environment).config,
    generated: autoMemory && path !== undefined ? { path, within: memory.projectHome } : undefined,
  });
  const { skills, diagnostics } = await loadSkills({ directories, bundled: bundledSkills() });
  if (autoMemory) return { skills, diagnostics };
  const bundled = new Set(bundledSkills().map(({ name }) => name));
  return { skills: skills.filter(({ name }) => !bundled.has(name)), diagnostics };
}
