import type { SkillSummary } from "@caliban/agent-core";
import { type Diagnostic, userDirectories } from "@caliban/common";
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

/** How much of the prompt the names and descriptions of skills may take: a repository may bring hundreds. */
const MAX_LIST_CHARACTERS = 16 * 1024;
const MAX_DESCRIPTION_CHARACTERS = 400;

interface ListedSkills {
  readonly skills: readonly SkillSummary[];
  readonly warnings: readonly Diagnostic<"SKILL">[];
}

/** The skills as the prompt lists them: always-loaded ones in full, the others in one line each while there is room. */
export function listSkills(skills: readonly Skill[]): ListedSkills {
  let characters = 0;
  const listed: SkillSummary[] = [];
  const omitted: string[] = [];
  for (const { name, description, body, alwaysLoaded } of skills) {
    if (alwaysLoaded === true) {
      listed.push({ name, description, body });
      continue;
    }
    const line = { name, description: truncateDescription(description) };
    characters += line.name.length + line.description.length;
    if (characters <= MAX_LIST_CHARACTERS) listed.push(line);
    else omitted.push(name);
  }
  if (omitted.length === 0) return { skills: listed, warnings: [] };
  const message = `${omitted.length} skills are not listed in the prompt, which has room for ${MAX_LIST_CHARACTERS} characters of them: ${omitted.slice(0, 3).join(", ")} …`;
  return { skills: listed, warnings: [{ code: "SKILL", message }] };
}

function truncateDescription(description: string): string {
  const characters = Array.from(description);
  if (characters.length <= MAX_DESCRIPTION_CHARACTERS) return description;
  return `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}
