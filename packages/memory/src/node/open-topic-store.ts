import { existsSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { MemoryError } from "../errors.ts";
import { type MemoryPlaces, memoryPlaces } from "../places.ts";
import type { Workspace } from "./find-workspace.ts";
import { longName, RECORD_FILE, readRecord } from "./project-home.ts";
import {
  historyIn,
  homeOfNotes,
  identifyProject,
  type PlaceInput,
  type ProjectIdentity,
} from "./project-identity.ts";
import { createFsTopicStore, type FsTopicStore } from "./topics/fs-topic-store.ts";

export interface OpenTopicStoreInput extends PlaceInput {
  readonly workspace: Workspace;
  /** `[memory] directory` of the person's own settings. */
  readonly directory?: string | undefined;
  /** Whether something may be written: then the home is held against the repository first. */
  readonly forWriting?: boolean;
}

/** The notes of a project. */
export interface OpenedTopicStore {
  readonly store: FsTopicStore;
  readonly places: MemoryPlaces;
  /** Where the notes are. */
  readonly directory: string;
  readonly historyDirectory: string;
}

/**
 * Opens the store of a workspace. Nothing is made on disk before the first write.
 * @throws MemoryError `NO_MEMORY_DIRECTORY` when no home directory is known
 */
export async function openTopicStore(input: OpenTopicStoreInput): Promise<OpenedTopicStore> {
  const identity = await identifyProject(input, input.workspace);
  const slug = input.forWriting === true ? await ownName(input, identity) : identity.name;
  const places = memoryPlaces({ ...input, slug, directory: input.directory });
  const { autoDirectory: directory } = places;
  if (directory === undefined) {
    const sentence =
      "no home directory is known, so there is no place for notes; set HOME or XDG_DATA_HOME";
    throw new MemoryError("NO_MEMORY_DIRECTORY", sentence);
  }
  const notesHome = await homeOfNotes(input, places);
  const historyDirectory =
    notesHome === undefined ? join(directory, ".history") : historyIn(notesHome);
  const prepare = async (): Promise<void> => {
    if (notesHome === undefined) return;
    const { home, owner } = notesHome;
    const path = owner ?? identity.path;
    if (!existsSync(join(home, RECORD_FILE))) {
      const { claimHome } = await import("./claim-home.ts");
      await claimHome(home, { path, env: input.env, isRepository: owner === undefined });
    }
    // Two projects whose paths give one name may have been opened before either wrote.
    const record = await readRecord(home);
    if (record === undefined || record.path === path) return;
    const sentence = `${terminalSafeLine(home)} was taken by ${terminalSafeLine(record.path)} meanwhile; run it again, and this project gets a place of its own`;
    throw new MemoryError("STORE_BUSY", sentence);
  };
  const store = createFsTopicStore({ directory, historyDirectory, prepare });
  return { store, places, directory, historyDirectory };
}

/** Another repository may stand where one was whose notes are still here: it gets a home of its own. */
async function ownName(
  input: OpenTopicStoreInput,
  { name, path }: ProjectIdentity,
): Promise<string> {
  const { projectHome } = memoryPlaces({ ...input, slug: name, directory: input.directory });
  const record = projectHome === undefined ? undefined : await readRecord(projectHome);
  if (record === undefined || record.rootCommits.length === 0) return name;
  const { isOtherRepository } = await import("./git-facts.ts");
  const isOther = await isOtherRepository(path, {
    rootCommits: record.rootCommits,
    env: input.env,
  });
  return isOther ? longName(name, path) : name;
}
