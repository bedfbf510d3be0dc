export { loadSkills, type LoadSkillsInput } from "./load-skills.ts";
