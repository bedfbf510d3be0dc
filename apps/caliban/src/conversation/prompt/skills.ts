import { userDirectories } from "@caliban/common";
import { bundledSkills, type Skill, type SkillDiagnostic, skillDirectories, type SkillDirectoriesInput } from "@caliban/skills";
import { loadSkills } from "@caliban/skills/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";
import type { SkillSummary } from "@caliban/agent-core";

/** The skills of a session, and what is to be said about those that are not among them. */
export interface LoadedProjectSkills {
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Where the notes are turned off, neither their skill nor what was made from them is loaded. */
export async function loadProjectSkills(
  { environment, options, workspace }: Project,
  {
    autoMemory,
    memory,
  }: {
    readonly autoMemory: boolean;
    readonly memory: Pick<ProjectMemory, "projectHome" | "learned">;
  },
): Promise<LoadedProjectSkills> {
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

/** Most bytes that the names and descriptions of skills take in a prompt: a repository may bring hundreds. */
const MOST_BYTES = 16 * 1024;
const LONGEST_DESCRIPTION = 400;

export interface ListedSkills {
  readonly skills: readonly SkillSummary[];
  readonly warnings: readonly string[];
}

/** What a prompt says about skills: the text of those that are always loaded, a line about the others while there is room. */
export function listSkills(skills: readonly Skill[]): ListedSkills {
  let bytes = 0;
  const listed: SkillSummary[] = [];
  const left: string[] = [];
  for (const { name, description, body, alwaysLoaded } of skills) {
    if (alwaysLoaded === true) {
      listed.push({ name, description, body });
      continue;
    }
    const line = { name, description: shortened(description) };
    bytes += line.name.length + line.description.length;
    if (bytes <= MOST_BYTES) listed.push(line);
    else left.push(name);
  }
  if (left.length === 0) return { skills: listed, warnings: [] };
  const sentence = `${left.length} skills are not named in the prompt, which has room for ${MOST_BYTES} bytes of them: ${left.slice(0, 3).join(", ")} …`;
  return { skills: listed, warnings: [sentence] };
}

function shortened(description: string): string {
  const characters = Array.from(description);
  if (characters.length <= LONGEST_DESCRIPTION) return description;
  return `${characters.slice(0, LONGEST_DESCRIPTION - 1).join("")}…`;
}
