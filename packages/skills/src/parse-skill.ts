import { requireArguments } from "@caliban/common";
import { parseFrontMatter } from "@caliban/common/front-matter";
import { type ParsedSkill, readSkill, type SkillSource } from "./read-skill.ts";

/**
 * Parses the text of a SKILL.md, whatever YAML its header contains.
 *
 * @example
 * import { parseSkill } from "@caliban/skills";
 *
 * const parsed = parseSkill("---\ndescription: Makes a release.\n---\nRun `pnpm release`.\n", {
 *   directoryName: "release",
 *   path: "skills/release/SKILL.md",
 *   origin: "user",
 * });
 * console.log(parsed.kind === "skill" && parsed.skill.name); // release
 */
export function parseSkill(text: string, source: SkillSource): ParsedSkill {
  requireArguments("parseSkill", { text, source }, ["text", "source"]);
  return readSkill(text, source, parseFrontMatter);
}
