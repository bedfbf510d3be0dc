import { parseFrontMatter } from "@caliban/common/front-matter";
import { type ParsedSkill, readSkill, type SkillSource } from "./read-skill.ts";

/** Reads the text of a SKILL.md, whatever YAML its header is. */
export function parseSkill(text: string, source: SkillSource): ParsedSkill {
  return readSkill(text, source, parseFrontMatter);
}
