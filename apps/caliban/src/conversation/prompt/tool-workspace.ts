import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PermissionPolicy } from "@caliban/agent-core";
import { userDirectories } from "@caliban/common";
import type { TopicStore } from "@caliban/memory";
import type { Skill } from "@caliban/skills";
import type { ToolWorkspace } from "@caliban/tools-builtin/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";
import { keyVariables } from "@caliban/providers";
import { createAddressRefusal, explainPrefix, createMemoryUrls, createLearnedReader } from "../access/memory-urls.ts";



import { createOwnMemoryChange } from "../access/own-memory-change.ts";
import { createProtectedPaths } from "../access/protected-paths.ts";
import { createReadableTest } from "../access/readable-files.ts";

export interface ToolWorkspaceInput {
  readonly project: Project;
  readonly memory: ProjectMemory;
  readonly skills: readonly Skill[];
  /** Left out where the notes are turned off. */
  readonly store: Pick<TopicStore, "index" | "list" | "read"> | undefined;
  readonly policy: PermissionPolicy;
}

/** Where the file tools of a session work: what they may touch, what they may look at, and what they must not tell. */
export function createToolWorkspace(input: ToolWorkspaceInput): ToolWorkspace {
  const { project, memory, skills, store, policy } = input;
  const { env, platform, home } = project.environment;
  const { values } = project.settings;
  const { root, startDirectory } = project.workspace;
  const { state } = userDirectories(project.environment);
  const { memoryDirectory, projectHome } = memory;
  const autonomous = projectHome === undefined ? [] : [join(projectHome, "autonomous")];
  const { protectedPaths, activate } = createProtectedPaths({
    host: project.host,
    memory,
    skills,
  });
  return {
    root,
    startDirectory,
    additionalDirectories: [...values.additional_directories, ...project.addedDirectories()],
    readableDirectories: [
      ...(memoryDirectory === undefined ? [] : [memoryDirectory]),
      ...autonomous,
      ...skills.filter(({ origin }) => origin !== "bundled").map(({ path }) => dirname(path)),
    ],
    memoryDirectory,
    home,
    env,
    platform,
    secretVariables: keyVariables(values.providers),
    // Without a home there is still a directory that is nobody else's.
    outputDirectory: () =>
      state === undefined ? mkdtempSync(join(tmpdir(), "caliban-")) : join(state, "outputs"),
    activate,
    protectedPaths,
    isReadable: createReadableTest(policy),
    isOwnMemoryChange: createOwnMemoryChange(project),
    resolveUrl: createMemoryUrls({
      store,
      learned: store && createLearnedReader(values, projectHome),
      prefix: async () => explainPrefix(memory, project.host),
      refusal: createAddressRefusal(policy),
    }),
  };
}
