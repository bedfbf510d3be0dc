export { bundledSkills } from "./bundled/bundled-skills.ts";
export { listSkills, type ListedSkills, type ListSkillsInput } from "./list-skills.ts";
export { offeredSkills, type Skill, type SkillOrigin } from "./skill.ts";
export { parseSkill } from "./parse-skill.ts";
export type { ParsedSkill, SkillSource } from "./read-skill.ts";
export { type ResolvedSkills, resolveShadowing } from "./shadowing.ts";
export {
  type SkillDiagnostic,
  type SkillDiagnosticCode,
  type SkillProblemCode,
} from "./skill-diagnostic.ts";
export {
  skillDirectories,
  type SkillDirectoriesInput,
  type SkillDirectory,
} from "./skill-directories.ts";
