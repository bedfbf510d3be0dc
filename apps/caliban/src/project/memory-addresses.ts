import { renderReceipt } from "@caliban/memory";
import type { MemoryResolverInput } from "@caliban/tools-builtin";
import type { ProjectMemory } from "./load-memory.ts";
import type { Project } from "./project.ts";

export interface MemoryAddressesInput {
  readonly project: Project;
  /** Absent when no home directory is known. */
  readonly projectHome?: string | undefined;
  /** Memory that was loaded already; loaded for each read by default. */
  readonly memory?: Pick<ProjectMemory, "prefix" | "receipt"> | undefined;
}

/** What the addresses of a project's memory resolve to, besides its topics. */
export function memoryAddresses({
  project,
  projectHome,
  memory,
}: MemoryAddressesInput): Required<Pick<MemoryResolverInput, "learned" | "prefix" | "repairHint">> {
  return {
    learned: async (path) => {
      if (!project.settings.values["memories.enabled"]) return { problem: LEARNING_OFF };
      if (projectHome === undefined) return { problem: NO_HOME };
      const { readLearnedArtifact } = await import("./learned-memory.ts");
      return await readLearnedArtifact(projectHome, path);
    },
    // The memory at the start of the prompt, byte for byte, followed by its receipt.
    prefix: async () => {
      const { prefix, receipt } = memory ?? (await project.memory());
      const { home, platform } = project.environment;
      const explanation = renderReceipt({ receipt, view: "explanation", home, platform });
      return `${prefix}[what it was built from]\n${explanation}`;
    },
    repairHint: "Run: caliban memory doctor.",
  };
}

const LEARNING_OFF =
  "memory://root: learning from past sessions is off. Turn it on with: caliban settings set memories.enabled true";
const NO_HOME = "memory://root: no home directory found, so nothing was learned.";
