import { bundledSkills, skillDirectories, type SkillDirectoriesInput } from "@caliban/skills";
import { loadSkills } from "@caliban/skills/node";

/** Where skills are, other than learned ones. */
export type OtherSkillLocations = Pick<
  SkillDirectoriesInput,
  "platform" | "workspaceRoot" | "configHome"
>;

/** The lower-case names of all skills that are not learned. They take precedence. */
export async function takenSkillNames(
  locations: OtherSkillLocations,
): Promise<ReadonlySet<string>> {
  const directories = skillDirectories({ ...locations, generated: undefined });
  const { skills } = await loadSkills({ directories, bundled: bundledSkills() });
  return new Set(skills.map(({ name }) => name.toLowerCase()));
}
