import type { Extraction } from "../../extraction/extraction.ts";
import type { ConsolidatedMemory, MemoryFile, MemorySkill } from "../../generation/memory.ts";
import { redactText, redactTexts } from "../transcript/redact-text.ts";

// A model may repeat a secret that the scan of its input missed, so everything it writes is scanned again before it is
// stored, including names.

export async function redactExtraction(extraction: Extraction): Promise<Extraction> {
  const { rolloutSummary, rolloutSlug, rawMemory } = extraction;
  const [summary = "", slug = "", memory = ""] = await redactTexts([
    rolloutSummary,
    rolloutSlug ?? "",
    rawMemory,
  ]);
  return {
    rolloutSummary: summary,
    // Part of a file name: anything that looks like a secret is not a name.
    rolloutSlug: slug === rolloutSlug ? rolloutSlug : undefined,
    rawMemory: memory,
  };
}

export async function redactMemory(memory: ConsolidatedMemory): Promise<ConsolidatedMemory> {
  return {
    memoryMd: await redact(memory.memoryMd),
    memorySummary: await redact(memory.memorySummary),
    skills: await Promise.all(memory.skills.map(redactSkill)),
  };
}

async function redactSkill(skill: MemorySkill): Promise<MemorySkill> {
  return {
    name: await redact(skill.name),
    content: await redact(skill.content),
    scripts: await redactFiles(skill.scripts),
    templates: await redactFiles(skill.templates),
    examples: await redactFiles(skill.examples),
  };
}

async function redactFiles(files: readonly MemoryFile[]): Promise<readonly MemoryFile[]> {
  return await Promise.all(
    files.map(async ({ path, content }) => ({
      path: await redact(path),
      content: await redact(content),
    })),
  );
}

async function redact(text: string): Promise<string> {
  return (await redactText(text)).text;
}
