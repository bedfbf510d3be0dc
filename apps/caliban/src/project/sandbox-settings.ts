import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { userDirectories } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import type { Skill } from "@caliban/skills";
import type { SandboxSettings } from "@caliban/tools-builtin/node";
import type { Host } from "../host.ts";
import type { ProjectMemory } from "./load-memory.ts";
import type { Project } from "./project.ts";

interface SandboxSettingsInput {
  readonly project: Pick<Project, "environment" | "host" | "settings">;
  readonly memory: Pick<ProjectMemory, "memoryDirectory" | "projectHome">;
  readonly skills: readonly Skill[];
}

/** What confines commands: the user's settings, and what belongs to caliban itself. */
export function createSandboxSettings(input: SandboxSettingsInput): SandboxSettings {
  const { project, memory, skills } = input;
  // A repository has no say in what its commands may do.
  const { trusted } = project.settings;
  const { config, data, state, cache } = userDirectories(project.environment);
  const { memoryDirectory, projectHome } = memory;
  return {
    mode: trusted["sandbox.mode"],
    allowedHosts: trusted["sandbox.allowed_hosts"],
    writablePaths: trusted["sandbox.writable_paths"],
    readablePaths: [
      ...trusted["sandbox.readable_paths"],
      // Skills come with scripts to run.
      ...skills.filter(({ origin }) => origin !== "bundled").map(({ path }) => dirname(path)),
    ],
    hiddenPaths: [config, data, state, cache, memoryDirectory, projectHome].filter(
      (path) => path !== undefined,
    ),
    temporaryDirectory: () => createTemporaryDirectory(project.host),
  };
}

/** Creates a directory that is removed with the process. */
function createTemporaryDirectory({ onExit }: Pick<Host, "onExit">): string {
  const directory = mkdtempSync(join(tmpdir(), "caliban-"));
  onExit(() => {
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch (error) {
      // A command may have left files that cannot be removed.
      if (errorCode(error) === undefined) throw error;
    }
  });
  return directory;
}
