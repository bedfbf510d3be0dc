import { statSync } from "node:fs";
import { resolve } from "node:path";
import { expandTilde, pathStyleOf } from "@caliban/common";
import {
  findWorkspace,
  openProjectHome,
  type ProjectHome,
  type Workspace,
} from "@caliban/memory/node";
import { defaultSettings, type LoadedSettings, loadSettings } from "@caliban/settings/node";
import type { Invocation } from "../command.ts";
import type { Host } from "../host.ts";
import { UsageError } from "../usage-error.ts";
import { type AskImport, loadProjectMemory, type ProjectMemory } from "./load-memory.ts";
import {
  findLearned,
  findSessions,
  type LearnedLocation,
  type LocationInput,
  type SessionsLocation,
} from "./locations.ts";
import { type OpenProjectTopics, projectTopics, userTopics } from "./topics.ts";

/** The options of the command line that affect a project as a whole. */
export type ProjectOptions = Pick<
  Invocation,
  "workspace" | "additionalDirectories" | "bare" | "memory" | "permissions"
>;

/**
 * A project as one run of caliban sees it. Opening it reads the settings and nothing else; each member reads from disk
 * when it is called, every time.
 */
export interface Project {
  readonly host: Host;
  readonly options: ProjectOptions;
  /** What is needed to find the user's directories. */
  readonly environment: Pick<Host, "env" | "platform" | "home" | "native">;
  readonly workspace: Workspace;
  readonly settings: LoadedSettings;
  /**
   * The directories of `--add-dir` as absolute paths.
   * @throws UsageError for one that does not exist, because a typo would silently keep the agent from those files
   */
  readonly addedDirectories: () => readonly string[];
  /** Where everything about this project is stored; `undefined` when no home directory is known. */
  readonly home: (access?: Access) => Promise<ProjectHome | undefined>;
  /** Loads the memory tiers. Without `askImport`, imports from outside the workspace are denied. */
  readonly memory: (askImport?: AskImport) => Promise<ProjectMemory>;
  /** @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known */
  readonly topics: OpenProjectTopics;
  /**
   * The topics about the user, which hold in every project.
   * @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known
   */
  readonly userTopics: OpenProjectTopics;
  /** `undefined` when no home directory is known. */
  readonly sessions: (access?: Access) => Promise<SessionsLocation | undefined>;
  /** `undefined` when no home directory is known. */
  readonly learned: (access?: Access) => Promise<LearnedLocation | undefined>;
}

type Access = Pick<LocationInput, "forWriting">;

/** Finds the workspace and reads its settings. */
export async function openProject(
  invocation: ProjectOptions & { readonly host: Host },
): Promise<Project> {
  const {
    host,
    workspace: directory,
    additionalDirectories,
    bare,
    memory,
    permissions,
  } = invocation;
  const workspace = await findWorkspace(startDirectory(invocation));
  const settings = bare
    ? defaultSettings()
    : await loadSettings({ ...host, workspaceRoot: workspace.root });
  const { env, platform, home, native } = host;
  const environment = { env, platform, home, native };
  const location = { ...environment, workspace };
  const project: Project = {
    host,
    options: { workspace: directory, additionalDirectories, bare, memory, permissions },
    environment,
    workspace,
    settings,
    addedDirectories: () => addedDirectories(invocation),
    home: (access) => openProjectHome({ ...location, ...access }),
    memory: (askImport) => loadProjectMemory(project, askImport),
    topics: projectTopics({ host, environment, workspace, settings }),
    userTopics: userTopics({ environment, workspace }),
    sessions: (access) => findSessions({ ...location, ...access }),
    learned: (access) => findLearned({ ...location, ...access }),
  };
  return project;
}

function startDirectory({
  host,
  workspace,
}: Pick<ProjectOptions, "workspace"> & { readonly host: Host }): string {
  if (workspace === "") throw new UsageError("--workspace requires a directory");
  // The shell does not expand the tilde in `--workspace=~/app`.
  if (workspace !== undefined) return expandTilde(pathStyleOf(host.platform), workspace, host.home);
  if (host.cwd !== undefined) return host.cwd;
  throw new UsageError(
    "the current directory no longer exists; change to another one, or pass --workspace",
  );
}

function addedDirectories({
  host,
  additionalDirectories,
}: Pick<ProjectOptions, "additionalDirectories"> & { readonly host: Host }): readonly string[] {
  return additionalDirectories.map((directory) => {
    const path = resolve(
      host.cwd ?? "/",
      expandTilde(pathStyleOf(host.platform), directory, host.home),
    );
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
    throw new UsageError(`--add-dir: no such directory: ${directory}`);
  });
}
