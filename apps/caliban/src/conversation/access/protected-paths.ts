import { dirname } from "node:path";
import { isAbsolutePath, pathStyleOf, userDirectories } from "@caliban/common";
import type { Skill } from "@caliban/skills";
import type { ProtectedPath, ToolWorkspace } from "@caliban/tools-builtin/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";

export interface ProtectedPathsInput {
  readonly environment: Project["environment"];
  readonly memory: Pick<ProjectMemory, "receipt" | "activate">;
  readonly skills: readonly Skill[];
}

const IN_PROMPTS = "is loaded into the prompt, in this session and in others";
const SKILL = "contains a skill, which tells agents what to do";
const OWN = "is where caliban stores its own settings, approvals, skills and topics";

/**
 * Protects the files that control a session besides those with well-known names: what was loaded into its prompt, its
 * skills, and caliban's own directories, which are inside the workspace when that is the home directory. `activate`
 * adds what it loads.
 */
export function createProtectedPaths({
  environment,
  memory,
  skills,
}: ProtectedPathsInput): Required<Pick<ToolWorkspace, "protectedPaths" | "activate">> {
  const { activate } = memory;
  const style = pathStyleOf(environment.platform);
  const activated = new Set<string>();
  return {
    protectedPaths: () => {
      const { config, data, state, cache } = userDirectories(environment);
      const own = [config, data, state, cache].filter((path) => path !== undefined);
      const loaded = [...memory.receipt.entries.map(({ path }) => path), ...activated];
      const onDisk = skills.filter(({ origin }) => origin !== "bundled");
      return [
        ...withReason(own, OWN),
        ...withReason(
          onDisk.flatMap(({ path }) => [dirname(path), path]),
          SKILL,
        ),
        // Extra blocks have an address instead of a path.
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
            for (const loaded of activation.paths) activated.add(loaded);
            return activation;
          },
  };
}

function withReason(paths: readonly string[], reason: string): readonly ProtectedPath[] {
  return [...new Set(paths)].map((path) => ({ path, reason }));
}
