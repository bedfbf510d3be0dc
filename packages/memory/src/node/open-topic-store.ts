import { MemoryError } from "../errors.ts";
import { type MemoryLocations, locateMemory } from "../project/locations.ts";
import { chosenDirectory } from "./project/claude-directory.ts";
import {
  type OpenProjectHomeInput,
  ownIdentity,
  ensureProjectRecord,
  projectPlace,
} from "./project/home.ts";
import { historyDirectoryIn, findMemoryHome } from "./project/identity.ts";
import { ownHistory } from "./topics/history/history-tail.ts";
import { createFsTopicStore, type FsTopicStore } from "./topics/fs-topic-store.ts";

export interface OpenTopicStoreInput extends OpenProjectHomeInput {
  /** `[memory] directory` of the person's own settings: a path, or `claude` for what Claude Code uses. */
  readonly directory?: string | undefined;
}

/** The notes of a project. */
export interface OpenedTopicStore {
  readonly store: FsTopicStore;
  readonly places: MemoryLocations;
  /** Where the notes are. */
  readonly directory: string;
  readonly historyDirectory: string;
  /** The path that names the project, whichever of its worktrees one stands in. */
  readonly projectPath: string;
}

/**
 * Opens the store of a workspace. Nothing is made on disk before the first write.
 * @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known
 */
export async function openTopicStore(input: OpenTopicStoreInput): Promise<OpenedTopicStore> {
  const place = await projectPlace(input);
  const identity = await ownIdentity(place);
  const chosen = await chosenDirectory(place, input.directory, identity.path);
  const places = locateMemory({ ...place, slug: identity.name, directory: chosen });
  const { memoryDirectory: directory } = places;
  if (directory === undefined) {
    const sentence =
      "no home directory is known, so there is no place for notes; set HOME or XDG_DATA_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", sentence);
  }
  const notesHome = await findMemoryHome(place, places);
  const historyDirectory = notesHome === undefined ? ownHistory(directory) : historyDirectoryIn(notesHome);
  const prepare = async (): Promise<void> => {
    if (notesHome === undefined) return;
    const { home, owner } = notesHome;
    const path = owner ?? identity.path;
    await ensureProjectRecord(home, { path, env: input.env, isRepository: owner === undefined });
  };
  const store = createFsTopicStore({ directory, historyDirectory, prepare });
  return { store, places, directory, historyDirectory, projectPath: identity.path };
}
