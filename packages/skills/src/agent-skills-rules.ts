import type { Skill } from "./skill.ts";

/** The rule of Agent Skills for names. Ours allows more, so that older skills keep working. */
const NAME = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/**
 * Says which rule of Agent Skills (agentskills.io) a loaded skill breaks, so that other agents may not load it; `undefined`
 * if it breaks none.
 */
export function brokenRule(
  { name }: Pick<Skill, "name">,
  directoryName: string,
): string | undefined {
  if (!NAME.test(name))
    return `${name} works here, but other agents may not load it: a name has 1 to 64 lower-case letters, digits and single dashes, with a letter or digit at each end.`;
  if (name === directoryName) return undefined;
  return `${name} works here, but other agents may not load it: its directory must have the same name.`;
}
