import { dirname } from "node:path";
import { isAbsolutePath, pathStyleOf, userDirectories } from "@caliban/common";
import type { Skill } from "@caliban/skills";
import type { ProtectedPath, ToolWorkspace } from "@caliban/tools-builtin/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Host } from "../../host.ts";

export interface ProtectedPathsInput {
  readonly host: Host;
  readonly memory: Pick<ProjectMemory, "receipt" | "activate">;
  readonly skills: readonly Skill[];
}

const IN_PROMPTS = "is loaded into the prompt, in this session and in others";
const SKILL = "holds a skill, which tells agents what to do";
const OURS = "is where caliban keeps its own settings, approvals, skills and notes";

/**
 * What steers a session besides files of known names: what was loaded into its prompt, its skills, and caliban's own
 * directories, which lie in the workspace when that is the home directory. `activate` adds what it brings.
 */
export function createProtectedPaths({
  host,
  memory,
  skills,
}: ProtectedPathsInput): Required<Pick<ToolWorkspace, "protectedPaths" | "activate">> {
  const { activate } = memory;
  const style = pathStyleOf(host.platform);
  const activated = new Set<string>();
  return {
    protectedPaths: () => {
      const { config, data, state, cache } = userDirectories(host);
      const own = [config, data, state, cache].filter((path) => path !== undefined);
      const loaded = [...memory.receipt.entries.map(({ path }) => path), ...activated];
      const places = skills.filter(({ origin }) => origin !== "bundled");
      return [
        ...withReason(own, OURS),
        ...withReason(
          places.flatMap(({ path }) => [dirname(path), path]),
          SKILL,
        ),
        // Blocks of a program's own have an address instead of a path.
        ...withReason(
          loaded.filter((path) => isAbsolutePath(style, path)),
          IN_PROMPTS,
        ),
      ];
    },
    activate:
      activate === undefined
        ? undefined
        : async (path) => {
            const activation = await activate(path);
            for (const brought of activation.paths) activated.add(brought);
            return activation;
          },
  };
}

function withReason(paths: readonly string[], reason: string): readonly ProtectedPath[] {
  return [...new Set(paths)].map((path) => ({ path, reason }));
}
