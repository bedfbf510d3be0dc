import { offeredSkills, type Skill } from "./skill.ts";

/** A skill as a prompt lists it: in full, or by its name and description. */
interface ListedSkill extends Pick<Skill, "name" | "description"> {
  readonly body?: string | undefined;
}

export interface ListedSkills {
  readonly skills: readonly ListedSkill[];
  /** Says which skills the prompt has no room for. */
  readonly warning?: string | undefined;
}

export interface ListSkillsInput {
  readonly skills: readonly Skill[];
  /** The names of the tools that the model has. */
  readonly tools: readonly string[];
  /** The names of tools that it would have, if no rule denied them. */
  readonly deniedTools: readonly string[];
}

/** How much of the prompt the names and descriptions of skills may take: a repository may bring hundreds. */
const MAX_LIST_CHARACTERS = 16 * 1024;
const MAX_DESCRIPTION_CHARACTERS = 400;

/** The skills as a prompt lists them: always-loaded ones in full, the others in one line each while there is room. */
export function listSkills(input: ListSkillsInput): ListedSkills {
  let characters = 0;
  const listed: ListedSkill[] = [];
  const omitted: string[] = [];
  for (const skill of offeredSkills(input.skills)) {
    const { name, description } = skill;
    if (skill.alwaysLoaded === true) {
      const body = taughtBody(skill, input);
      if (body !== undefined) listed.push({ name, description, body });
      continue;
    }
    const line = { name, description: truncate(description) };
    characters += line.name.length + line.description.length;
    if (characters <= MAX_LIST_CHARACTERS) listed.push(line);
    else omitted.push(name);
  }
  return { skills: listed, warning: omitted.length === 0 ? undefined : describeOmitted(omitted) };
}

function describeOmitted(names: readonly string[]): string {
  return `${names.length} skills are not listed in the prompt, which has room for ${MAX_LIST_CHARACTERS} characters of them: ${names.slice(0, 3).join(", ")} …`;
}

/** An always-loaded skill teaches tools. It says which of them are denied, and is dropped when all of them are. */
function taughtBody({ body }: Skill, { tools, deniedTools }: ListSkillsInput): string | undefined {
  const isTaught = (tool: string): boolean => body.includes(tool);
  const missing = deniedTools.filter(isTaught);
  if (missing.length === 0) return body;
  if (!tools.some(isTaught)) return undefined;
  return `${body.trimEnd()}\n\nNot available in this session: ${missing.join(", ")}.\n`;
}

function truncate(description: string): string {
  const characters = Array.from(description);
  if (characters.length <= MAX_DESCRIPTION_CHARACTERS) return description;
  return `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}
