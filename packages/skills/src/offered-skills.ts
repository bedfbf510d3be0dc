import type { Skill } from "./skill.ts";

/** The skills that a model is told of by name and description, and may take up by itself. */
export function offeredSkills(skills: readonly Skill[]): readonly Skill[] {
  return skills.filter(({ modelInvocation }) => modelInvocation);
}
