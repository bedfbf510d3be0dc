import type { SearchDocument } from "../engine/document.ts";
import {
  createEmbeddedSearch,
  type Embed,
  type EmbeddedSearch,
} from "../engine/embedded-search.ts";
import { createLiveIndex, type RefreshedIndex } from "./live-index.ts";
import type { SearchSource } from "./source.ts";

/** A live index whose documents and queries are embedded with the caller's model. */
export interface EmbeddedIndex {
  readonly refresh: () => Promise<
    Omit<RefreshedIndex, "index"> & { readonly index: Pick<EmbeddedSearch, "search"> }
  >;
}

export interface EmbeddedIndexInput {
  readonly source: SearchSource;
  readonly embed: Embed;
  readonly concurrency: number;
}

/** Documents are found by their words at once, and by meaning as soon as the model has embedded them. */
export function createEmbeddedIndex(input: EmbeddedIndexInput): EmbeddedIndex {
  const { source, embed, concurrency } = input;
  /** The documents without a vector, by the key of their entry. A failed model is tried again. */
  const waiting = new Map<string, readonly SearchDocument[]>();
  const live = createLiveIndex({ sources: [withWaiting(source, waiting)], concurrency });
  let search: EmbeddedSearch | undefined;
  return {
    refresh: async () => {
      const { counts, notes } = await live.refresh();
      search ??= await createEmbeddedSearch({ embed, index: live.index });
      const documents = [...waiting.values()].flat();
      const { embedding } = documents.length === 0 ? USED : await search.add(documents);
      if (embedding === "used") waiting.clear();
      return { index: search, counts, notes };
    },
  };
}

const USED = { embedding: "used" } as const;

function withWaiting(
  source: SearchSource,
  waiting: Map<string, readonly SearchDocument[]>,
): SearchSource {
  return {
    ...source,
    list: async () => {
      const entries = await source.list();
      const keys = new Set(entries.map(({ key }) => key));
      // What no longer exists must not return to the index with its vector.
      for (const key of waiting.keys()) if (!keys.has(key)) waiting.delete(key);
      return entries;
    },
    read: async (entry, before) => {
      const read = await source.read(entry, before);
      if (read === undefined) waiting.delete(entry.key);
      else waiting.set(entry.key, read.documents);
      return read;
    },
  };
}
