import { renderExplanation } from "@caliban/memory";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Host } from "../../host.ts";

/** What `memory://prefix` shows: the memory at the head of the prompt, byte for byte, and behind it its receipt. */
export function explainedPrefix(
  { prefix, receipt }: Pick<ProjectMemory, "prefix" | "receipt">,
  { home, platform }: Host,
): string {
  return `${prefix}[what it was built from]\n${renderExplanation({ receipt, home, platform })}`;
}
