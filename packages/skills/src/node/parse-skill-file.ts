import { parseFrontMatter } from "@caliban/common/node/front-matter";
import { type ParsedSkill, readSkill, type SkillSource } from "../read-skill.ts";

/** Parses a SKILL.md whose header needs a YAML parser. In a file of its own, because it is loaded only then. */
export function parseSkillFile(text: string, source: SkillSource): ParsedSkill {
  return readSkill(text, source, parseFrontMatter);
}
