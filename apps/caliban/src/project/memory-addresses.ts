import { shellCommand, type SpellCommand } from "@caliban/common";
import { renderReceipt } from "@caliban/memory";
import type { MemoryResolverInput } from "@caliban/tools-builtin";
import { readProjectForgotten } from "./forgotten.ts";
import type { ProjectMemory } from "./load-memory.ts";
import type { Project } from "./project.ts";

export interface MemoryAddressesInput {
  readonly project: Project;
  /** Absent when no home directory is known. */
  readonly projectHome?: string | undefined;
  /** Memory that was loaded already; loaded for each read by default. */
  readonly memory?: Pick<ProjectMemory, "prefix" | "receipt"> | undefined;
  /** Spells the commands that problems name; as in a shell by default, for a model. */
  readonly command?: SpellCommand | undefined;
}

/** What the addresses of a project's memory resolve to, besides its topics. */
export function memoryAddresses({
  project,
  projectHome,
  memory,
  command = shellCommand,
}: MemoryAddressesInput): Required<Pick<MemoryResolverInput, "learned" | "prefix" | "repairHint">> {
  const enable = command("settings set memories.enabled true");
  const learningOff = `memory://root: learning from past sessions is off. Turn it on with: ${enable}`;
  return {
    learned: async (path) => {
      if (!project.settings.values["memories.enabled"]) return { problem: learningOff };
      if (projectHome === undefined) return { problem: NO_HOME };
      const { readLearnedArtifact } = await import("./learned-memory.ts");
      const { environment, workspace } = project;
      const forgotten = await readProjectForgotten(projectHome, { ...environment, workspace });
      return await readLearnedArtifact(projectHome, { path, forgotten });
    },
    // The memory at the start of the prompt, byte for byte, followed by its receipt.
    prefix: async () => {
      const { prefix, receipt } = memory ?? (await project.memory());
      const { home, platform } = project.environment;
      const explanation = renderReceipt({ receipt, view: "explanation", home, platform, command });
      return `${prefix}[what it was built from]\n${explanation}`;
    },
    repairHint: `Run: ${command("memory doctor")}.`,
  };
}

const NO_HOME = "memory://root: no home directory found, so nothing was learned.";
