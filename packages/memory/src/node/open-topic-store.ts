import { dirname, join } from "node:path";
import { MemoryError } from "../errors.ts";
import type { CopyTarget } from "../store/copy/copy-memory.ts";
import type { MemoryLocations } from "../project/locations.ts";
import { locateTopics, type OpenTopicStoreInput } from "./locate-topics.ts";
import type { ResolvedEnvironment } from "./project/environment.ts";
import { ensureProjectRecord } from "./project/home.ts";
import { findMemoryHome, historyDirectoryIn } from "./project/identity.ts";
import { createFsTopicStore, type FsTopicStore } from "./topics/fs-topic-store.ts";
import { defaultHistoryDirectory } from "./topics/history/history-tail.ts";

export type { OpenTopicStoreInput } from "./locate-topics.ts";

/** The topics of a project or of the user. */
export interface OpenedTopicStore {
  readonly store: FsTopicStore;
  readonly locations: MemoryLocations;
  /** The directory of the topics. */
  readonly directory: string;
  readonly historyDirectory: string;
  /** The directory of edits that could not be saved. */
  readonly draftsDirectory: string;
  readonly workspaceRoot: string;
  /** The path that identifies the project, the same in all of its worktrees. */
  readonly projectPath: string;
  /** The files themselves, for `copyMemory`. */
  readonly openFiles: () => Promise<CopyTarget>;
  /** What these paths were found with. */
  readonly environment: ResolvedEnvironment;
}

/**
 * Opens the topics of a workspace, where `loadMemory` finds them. Nothing is created on disk before the first write.
 *
 * @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known
 *
 * @example
 * import { openTopicStore } from "@caliban/memory/node";
 *
 * const env = { HOME: process.cwd() };
 * const { store } = await openTopicStore({ workspace: process.cwd(), env });
 * await store.write({
 *   name: "deploy",
 *   description: "run migrations first",
 *   type: "project",
 *   body: "Then flip the flag.",
 *   author: { who: "agent" },
 * });
 * console.log((await store.read("deploy"))?.topic.body);
 */
export async function openTopicStore(input: OpenTopicStoreInput): Promise<OpenedTopicStore> {
  const { request, identity, locations: located } = await locateTopics(input);
  const { scope = "project" } = input;
  const locations = scope === "user" ? userLocations(located) : located;
  const { memoryDirectory: directory } = locations;
  if (directory === undefined) {
    const message =
      "no home directory found, so there is nowhere to store topics; set HOME or XDG_DATA_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", message);
  }
  const memoryHome =
    scope === "user"
      ? { home: dirname(directory), owner: undefined }
      : findMemoryHome(request, locations);
  const historyDirectory =
    memoryHome === undefined ? defaultHistoryDirectory(directory) : historyDirectoryIn(memoryHome);
  const prepare = async (): Promise<void> => {
    // All projects use the user's topics, so there is no project to record.
    if (memoryHome === undefined || scope === "user") return;
    const { home, owner } = memoryHome;
    const path = owner ?? identity.path;
    await ensureProjectRecord(home, { path, env: request.env, isRepository: owner === undefined });
  };
  const files = { directory, historyDirectory, scope, prepare };
  // Next to the history, because the directory of the topics may be shared.
  const draftsDirectory = join(dirname(historyDirectory), "drafts");
  const { env, platform, home } = request;
  return {
    store: createFsTopicStore(files),
    openFiles: async () => {
      const { createFsCopyTarget } = await import("./topics/fs-copy-target.ts");
      return createFsCopyTarget(files);
    },
    locations,
    directory,
    historyDirectory,
    draftsDirectory,
    workspaceRoot: request.workspace.root,
    projectPath: identity.path,
    environment: { env, platform, home },
  };
}

/** Every project shares the user's topics, so that what is erased there must leave every search index. */
function userLocations(locations: MemoryLocations): MemoryLocations {
  return {
    ...locations,
    memoryDirectory: locations.userMemoryDirectory,
    isSharedDirectory: true,
  };
}
