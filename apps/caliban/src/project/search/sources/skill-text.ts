import { parseFrontMatter, parsePlainFrontMatter } from "@caliban/common/front-matter";

/** What a SKILL.md says. */
export interface SkillText {
  readonly description: string;
  readonly body: string;
}

/** Reads a SKILL.md; one whose header is broken is all body. */
export function readSkillText(text: string): SkillText {
  const plain = text.replace(/^\uFEFF/, "");
  const parsed = parsePlainFrontMatter(plain) ?? parseFrontMatter(plain);
  if (parsed.kind !== "header") return { description: "", body: plain };
  const { description } = parsed.data;
  const line = typeof description === "string" ? description.replaceAll(/\s+/g, " ").trim() : "";
  return { description: line, body: parsed.body.trim() };
}
