import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { PermissionPolicy } from "@caliban/agent-core";
import { userDirectories } from "@caliban/common";
import type { Skill } from "@caliban/skills";
import { createMemoryResolver, type MemoryResolverInput } from "@caliban/tools-builtin";
import type { ProtectedPath, ToolWorkspace } from "@caliban/tools-builtin/node";
import type { ProjectMemory } from "../../project/load-memory.ts";
import { learnedDirectory } from "../../project/locations.ts";
import { memoryAddresses } from "../../project/memory-addresses.ts";
import type { Project } from "../../project/project.ts";
import { userMemoryDirectory } from "../../project/user-scope.ts";
import { createSandboxSettings } from "../../project/sandbox-settings.ts";
import { secretVariables } from "../../project/secret-variables.ts";

export interface ToolWorkspaceInput {
  readonly project: Project;
  readonly memory: ProjectMemory;
  readonly skills: readonly Skill[];
  /** Absent when auto-memory is off. */
  readonly topics: MemoryResolverInput["topics"];
  /** Absent when memory about the user is off. */
  readonly userTopics?: MemoryResolverInput["userTopics"];
  /** Absent for users who joined no team. */
  readonly teamTopics?: MemoryResolverInput["teamTopics"];
  readonly policy: PermissionPolicy;
  /** Saves files before tools change them. */
  readonly onFileChange?: ToolWorkspace["onChange"];
}

/** Describes where the file tools work: what they may change, what they may read, and what they must not reveal. */
export function createToolWorkspace(input: ToolWorkspaceInput): ToolWorkspace {
  const { project, memory, skills, topics, userTopics, teamTopics, policy } = input;
  const { environment, settings, workspace } = project;
  const { values } = settings;
  const { state } = userDirectories(environment);
  const { memoryDirectory, projectHome, receipt, activate } = memory;
  const skillFiles = skills.filter(({ origin }) => origin !== "bundled").map(({ path }) => path);
  const addresses = memoryAddresses({ project, projectHome, memory });
  return {
    ...environment,
    root: workspace.root,
    startDirectory: workspace.startDirectory,
    additionalDirectories: [...values.additional_directories, ...project.addedDirectories()],
    readableDirectories: [
      ...(memoryDirectory === undefined ? [] : [memoryDirectory]),
      ...(projectHome === undefined ? [] : [learnedDirectory(projectHome)]),
      ...skillFiles.map((path) => dirname(path)),
    ],
    memoryDirectory,
    userMemoryDirectory: userTopics && userMemoryDirectory(project),
    projectHome,
    learnedDirectory: projectHome && learnedDirectory(projectHome),
    memoryLog: async () => await (await project.topics()).store.log(),
    secretVariables: secretVariables(settings),
    onFirstCommand: () => project.host.hideVariables(secretVariables(settings)),
    sandbox: createSandboxSettings({ project, memory, skills }),
    // Without a home directory, a temporary directory that no other user can read.
    outputDirectory: () =>
      state === undefined ? mkdtempSync(join(tmpdir(), "caliban-")) : join(state, "outputs"),
    // Extra blocks have an address instead of a path.
    instructionPaths: receipt.entries.map(({ path }) => path).filter((path) => isAbsolute(path)),
    protectedPaths: () => protectedPaths(project, skillFiles),
    activate,
    onChange: input.onFileChange,
    policy,
    resolveUrl: createMemoryResolver({
      ...addresses,
      topics,
      userTopics,
      teamTopics,
      learned: topics && addresses.learned,
      policy,
    }),
  };
}

/** The session's skills, and caliban's own directories, which are inside the workspace when that is the home directory. */
function protectedPaths(
  { environment }: Project,
  skillFiles: readonly string[],
): readonly ProtectedPath[] {
  const { config, data, state, cache } = userDirectories(environment);
  const own = [config, data, state, cache].filter((path) => path !== undefined);
  return [
    ...own.map((path) => ({ path, reason: OWN })),
    ...skillFiles.flatMap((file) => [dirname(file), file]).map((path) => ({ path, reason: SKILL })),
  ];
}

const OWN = "is where caliban stores its own settings, approvals, skills and topics";
const SKILL = "contains a skill, which tells agents what to do";
