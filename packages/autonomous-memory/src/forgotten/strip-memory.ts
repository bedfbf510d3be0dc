import { EMPTY_EXTRACTION, type Extraction } from "../extraction/extraction.ts";
import type { ConsolidatedMemory, MemorySkill } from "../generation/memory.ts";
import { readDescription, splitSkill } from "../generation/skill-header.ts";
import type { ForgottenStatements } from "./forgotten-statements.ts";

/** A value without forgotten statements, and how many it had. */
export interface Stripped<Value> {
  readonly value: Value;
  readonly removed: number;
}

/** An extraction without forgotten statements; an empty one if nothing is left. */
export function stripExtraction<Value extends Extraction>(
  extraction: Value,
  forgotten: ForgottenStatements,
  from: { readonly session: string },
): Stripped<Value> {
  const memory = forgotten.strip(extraction.rawMemory, from);
  const summary = forgotten.strip(extraction.rolloutSummary, from);
  const slug = forgotten.strip((extraction.rolloutSlug ?? "").replaceAll("-", " "), from);
  const removed = memory.removed + summary.removed;
  const isEmpty = memory.removed > 0 && memory.text.trim() === "";
  if (isEmpty) return { value: { ...extraction, ...EMPTY_EXTRACTION }, removed };
  if (removed + slug.removed === 0) return { value: extraction, removed };
  const { rolloutSlug } = extraction;
  const value = {
    ...extraction,
    rawMemory: memory.text.trim(),
    rolloutSummary: summary.text.trim(),
    rolloutSlug: slug.removed > 0 ? undefined : rolloutSlug,
  };
  return { value, removed };
}

// A generation without text is not valid.
const NO_MEMORY = "# Memory\n";
const NO_SUMMARY = "Nothing is remembered of earlier sessions yet.\n";

/** A memory without forgotten statements. A playbook that is about one is left out as a whole. */
export function stripMemory<Value extends ConsolidatedMemory>(
  memory: Value,
  forgotten: ForgottenStatements,
): Stripped<Value> {
  const memoryMd = forgotten.strip(memory.memoryMd);
  const memorySummary = forgotten.strip(memory.memorySummary);
  const skills = memory.skills.map((skill) => stripSkill(skill, forgotten));
  const removed =
    memoryMd.removed +
    memorySummary.removed +
    skills.reduce((sum, skill) => sum + skill.removed, 0);
  if (removed === 0) return { value: memory, removed };
  const value = {
    ...memory,
    memoryMd: memoryMd.text.trim() === "" ? NO_MEMORY : memoryMd.text,
    memorySummary: memorySummary.text.trim() === "" ? NO_SUMMARY : memorySummary.text,
    skills: skills.flatMap((skill) => skill.value ?? []),
  };
  return { value, removed };
}

function stripSkill(
  skill: MemorySkill,
  forgotten: ForgottenStatements,
): Stripped<MemorySkill | undefined> {
  const { header, body } = splitSkill(skill.content);
  const about = forgotten.strip(readDescription(header));
  if (about.removed > 0) return { value: undefined, removed: about.removed };
  const left = forgotten.strip(body);
  if (left.removed === 0) return { value: skill, removed: 0 };
  if (left.text.trim() === "") return { value: undefined, removed: left.removed };
  const start = skill.content.length - body.length;
  const content = `${skill.content.slice(0, Math.max(0, start))}${left.text}`;
  return { value: { ...skill, content }, removed: left.removed };
}
