import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PermissionPolicy } from "@caliban/agent-core";
import { userDirectories } from "@caliban/common";
import { keyVariables } from "@caliban/providers";
import type { Skill } from "@caliban/skills";
import type { ToolWorkspace } from "@caliban/tools-builtin/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import { learnedDirectory } from "../../project/locations.ts";
import type { Project } from "../../project/project.ts";
import { createSandboxSettings } from "../../project/sandbox-settings.ts";
import {
  createAddressCheck,
  createLearnedReader,
  createMemoryUrls,
  explainPrefix,
  type ReadableTopics,
} from "../access/memory-urls.ts";
import { createOwnMemoryChange } from "../access/own-memory-change.ts";
import { createProtectedPaths } from "../access/protected-paths.ts";
import { createReadableTest } from "../access/readable-files.ts";

export interface ToolWorkspaceInput {
  readonly project: Project;
  readonly memory: ProjectMemory;
  readonly skills: readonly Skill[];
  /** Absent when auto-memory is off. */
  readonly topics: ReadableTopics | undefined;
  readonly policy: PermissionPolicy;
}

/** Describes where the file tools work: what they may change, what they may read, and what they must not reveal. */
export function createToolWorkspace(input: ToolWorkspaceInput): ToolWorkspace {
  const { project, memory, skills, topics, policy } = input;
  const { environment, settings, workspace } = project;
  const { values } = settings;
  const { state } = userDirectories(environment);
  const { memoryDirectory, projectHome } = memory;
  return {
    ...environment,
    root: workspace.root,
    startDirectory: workspace.startDirectory,
    additionalDirectories: [...values.additional_directories, ...project.addedDirectories()],
    readableDirectories: [
      ...(memoryDirectory === undefined ? [] : [memoryDirectory]),
      ...(projectHome === undefined ? [] : [learnedDirectory(projectHome)]),
      ...skills.filter(({ origin }) => origin !== "bundled").map(({ path }) => dirname(path)),
    ],
    memoryDirectory,
    secretVariables: keyVariables(values.providers),
    onFirstCommand: () => project.host.hideVariables(keyVariables(values.providers)),
    sandbox: createSandboxSettings({ project, memory, skills }),
    // Without a home directory, a temporary directory that no other user can read.
    outputDirectory: () =>
      state === undefined ? mkdtempSync(join(tmpdir(), "caliban-")) : join(state, "outputs"),
    ...createProtectedPaths({ environment, memory, skills }),
    isReadable: createReadableTest(policy),
    isOwnMemoryChange: createOwnMemoryChange(project),
    resolveUrl: createMemoryUrls({
      topics,
      learned: topics && createLearnedReader(values, projectHome),
      prefix: async () => explainPrefix(memory, environment),
      checkAddress: createAddressCheck(policy),
    }),
  };
}
