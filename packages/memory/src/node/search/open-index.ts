import { basename } from "node:path";
import { createMemorySearch } from "../../search/memory-search.ts";
import { keepNotes } from "../../notes/keep-notes.ts";
import { createNoteIndex, type NoteIndex } from "../../notes/note-index.ts";
import type { SearchSource } from "../../search/live-index/source.ts";
import { storeSource } from "../../search/open-store-search.ts";
import type { MemorySearch } from "../../search/results/results.ts";
import type { OpenedTopicStore } from "../open-topic-store.ts";
import { createIndexCache, type IndexCache } from "./index-cache.ts";
import type { OpenMemorySearchInput } from "./open-memory-search.ts";
import { storedIndexFile } from "./stored-index.ts";
import { topicDirectorySource } from "./topic-directory.ts";

export interface OpenedIndex {
  readonly cache: IndexCache;
  readonly memory: MemorySearch;
  readonly sources: readonly SearchSource[];
  /** What may be shown as a note; complete once the cache has notes. */
  readonly notes: NoteIndex;
}

/** Opens the index of a project and its search. This file is loaded by the first search. */
export async function openIndex(
  { store, sources = async () => [], isStored = true }: OpenMemorySearchInput,
  { directory, locations: { projectHome }, environment }: OpenedTopicStore,
): Promise<OpenedIndex> {
  const more = projectHome === undefined ? [] : await sources(projectHome);
  const topics = store === undefined ? topicDirectorySource(directory) : storeSource(store);
  const all = [topics, ...more];
  const file =
    isStored && projectHome !== undefined
      ? storedIndexFile(environment, basename(projectHome))
      : undefined;
  const notes = createNoteIndex();
  const cache = createIndexCache({ file, sources: all, notes: keepNotes(notes) });
  return { cache, memory: createMemorySearch({ index: cache, sources: all }), sources: all, notes };
}
