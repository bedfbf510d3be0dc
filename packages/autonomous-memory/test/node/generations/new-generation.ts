import type { ConsolidatedMemory, MemorySkill } from "../../../src/generation/memory.ts";
import type { NewGeneration } from "../../../src/generation/generations.ts";
import type { StoredExtraction } from "../../../src/extraction/extraction.ts";

/** A new generation with default content. */
export function newGeneration(
  memory: Partial<ConsolidatedMemory> = {},
  part: Partial<NewGeneration> = {},
): NewGeneration {
  return {
    memory: { memoryMd: "# Memory\n\n- one\n", memorySummary: "- one\n", skills: [], ...memory },
    extractions: [],
    nowMs: Date.UTC(2026, 10, 16),
    isStillClaimed: () => true,
    ...part,
  };
}

export function skill(name: string, content = "# Do it\n\nSteps.\n"): MemorySkill {
  const scripts = [{ path: "run.sh", content: "echo done\n" }];
  return { name, content, scripts, templates: [], examples: [] };
}

export function extraction(part: Partial<StoredExtraction>): StoredExtraction {
  return {
    threadId: "0198c0de-0000-7000-8000-000000000001",
    updatedAtMs: Date.UTC(2026, 10, 1),
    rolloutSummary: "",
    rolloutSlug: undefined,
    rawMemory: "",
    isNew: true,
    isRemoved: false,
    watermark: 1,
    ...part,
  };
}
