import type { SkillSummary } from "@caliban/agent-core";
import type { Skill } from "@caliban/skills";

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
