import type {
  ConsolidatedMemory,
  MemorySkill,
  PlacedFile,
} from "../../consolidation/consolidation-task.ts";
import { redactText } from "../transcript/redact-text.ts";

/** Looks at every text once more before it reaches the disk, names included. */
export async function memoryWithoutSecrets(
  memory: ConsolidatedMemory,
): Promise<ConsolidatedMemory> {
  return {
    memoryMd: await plain(memory.memoryMd),
    memorySummary: await plain(memory.memorySummary),
    skills: await Promise.all(memory.skills.map(skillWithoutSecrets)),
  };
}

async function skillWithoutSecrets(skill: MemorySkill): Promise<MemorySkill> {
  return {
    name: await plain(skill.name),
    content: await plain(skill.content),
    scripts: await filesWithoutSecrets(skill.scripts),
    templates: await filesWithoutSecrets(skill.templates),
    examples: await filesWithoutSecrets(skill.examples),
  };
}

async function filesWithoutSecrets(files: readonly PlacedFile[]): Promise<readonly PlacedFile[]> {
  return await Promise.all(
    files.map(async ({ path, content }) => ({
      path: await plain(path),
      content: await plain(content),
    })),
  );
}

async function plain(text: string): Promise<string> {
  return (await redactText(text)).text;
}
