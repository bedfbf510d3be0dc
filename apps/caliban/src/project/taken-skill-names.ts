import { bundledSkills, skillDirectories, type SkillDirectoriesInput } from "@caliban/skills";
import { loadSkills } from "@caliban/skills/node";

/** Where skills are besides those that were learned. */
export type OtherSkillLocations = Pick<
  SkillDirectoriesInput,
  "platform" | "workspaceRoot" | "configHome"
>;

/** The names, in small letters, of the skills that are not learned, which come first. */
export async function takenSkillNames(places: OtherSkillLocations): Promise<ReadonlySet<string>> {
  const directories = skillDirectories({ ...places, generated: undefined });
  const { skills } = await loadSkills({ directories, bundled: bundledSkills() });
  return new Set(skills.map(({ name }) => name.toLowerCase()));
}
