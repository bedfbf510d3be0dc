import { basename } from "node:path";
import { type CheckEvidence, createMemorySearch } from "../../search/memory-search.ts";
import { keepNotes } from "../../notes/keep-notes.ts";
import { createNoteIndex, type NoteIndex } from "../../notes/note-index.ts";
import type { SearchSource } from "../../search/live-index/source.ts";
import { storeSource } from "../../search/open-store-search.ts";
import type { MemorySearch } from "../../search/results/results.ts";
import { createEvidenceCheck } from "../evidence/check-evidence.ts";
import { USER_TOPICS } from "../../search/live-index/topic-document.ts";
import type { OpenedTopicStore } from "../open-topic-store.ts";
import { createIndexCache, type IndexCache } from "./index-cache.ts";
import type { OpenMemorySearchInput } from "./open-memory-search.ts";
import { storedIndexFile, storedNotesFile } from "./stored-index.ts";
import { topicDirectorySource } from "./topic-directory.ts";

export interface OpenedIndex {
  readonly cache: IndexCache;
  readonly memory: MemorySearch;
  /** Tells whether the evidence of a topic is still there, for notes: they cannot wait until all files were searched. */
  readonly checkEvidence: CheckEvidence;
  readonly sources: readonly SearchSource[];
  /** What may be shown as a note; complete once the cache has notes. */
  readonly notes: NoteIndex;
  /** Where notes are stored for processes that cannot load the index; `undefined` without a home directory. */
  readonly notesFile: string | undefined;
}

/** How long the search for evidence that moved may take. */
const MAX_NOTE_WAIT_MS = 10;
const MAX_SEARCH_WAIT_MS = 1_000;

/** Opens the index of a project and its search. This file is loaded by the first search. */
export async function openIndex(
  input: OpenMemorySearchInput,
  { directory, locations, environment, workspaceRoot }: OpenedTopicStore,
): Promise<OpenedIndex> {
  const { store, sources = async () => [], isStored = true, userTopics = false } = input;
  const { checkEvidence, isForgotten } = input;
  const { projectHome, userMemoryDirectory } = locations;
  const more = projectHome === undefined ? [] : await sources(projectHome);
  const topics = store === undefined ? topicDirectorySource(directory) : storeSource(store);
  const user =
    userTopics && userMemoryDirectory !== undefined
      ? [topicDirectorySource(userMemoryDirectory, { name: USER_TOPICS })]
      : [];
  const all = [topics, ...user, ...more];
  const { file, notesFile } = storedFiles(environment, projectHome);
  const notes = createNoteIndex();
  const cache = createIndexCache({
    file: isStored ? file : undefined,
    sources: all,
    notes: keepNotes(notes),
    derivedFile: notesFile,
  });
  const { stateOf } = createEvidenceCheck({ root: workspaceRoot });
  const check = checkEvidence ?? ((evidence) => stateOf(evidence, MAX_SEARCH_WAIT_MS));
  const checkForNote = checkEvidence ?? ((evidence) => stateOf(evidence, MAX_NOTE_WAIT_MS));
  const memory = createMemorySearch({
    index: cache,
    sources: all,
    checkEvidence: check,
    isForgotten,
  });
  return { cache, memory, sources: all, notes, notesFile, checkEvidence: checkForNote };
}

function storedFiles(
  environment: OpenedTopicStore["environment"],
  projectHome: string | undefined,
): { readonly file: string | undefined; readonly notesFile: string | undefined } {
  if (projectHome === undefined) return { file: undefined, notesFile: undefined };
  const name = basename(projectHome);
  return {
    file: storedIndexFile(environment, name),
    notesFile: storedNotesFile(environment, name),
  };
}
