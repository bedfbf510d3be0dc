/** A skill that other agents may use. */
export interface ServedSkill {
  readonly name: string;
  readonly description: string;
  /** Markdown. */
  readonly body: string;
}

/** The rules of Agent Skills for names, which clients check. */
const NAME = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const MAX_DESCRIPTION_CHARACTERS = 1024;

/** Whether clients accept a skill. They refuse a whole list for one that breaks the rules of Agent Skills. */
export function isServable({ name, description }: ServedSkill): boolean {
  return NAME.test(name) && description !== "" && description.length <= MAX_DESCRIPTION_CHARACTERS;
}

/** The file of a skill, as it is served. A text in JSON is one in YAML, too. */
export function renderSkillFile({ name, description, body }: ServedSkill): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`;
}

export function skillAddress({ name }: Pick<ServedSkill, "name">): string {
  return `skill://${name}/SKILL.md`;
}
