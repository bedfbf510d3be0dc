import { checkArguments } from "../../check-arguments.ts";
import { type AnalyzedQuery, analyzeQuery } from "../analyzer/query-terms.ts";
import { type Collection, createCollection } from "./collection.ts";
import { isSessionKind, type SearchDocument } from "./document.ts";
import { findTopics } from "./find-topics.ts";
import { findTurns } from "./find-turns.ts";
import type { SearchOptions, SearchResult } from "./search-result.ts";
import { packIndex, unpackIndex } from "./segment/pack-index.ts";
import { createPrefixTest } from "./segment/packed-texts.ts";

/** Finds documents by words, without a model. It stores no texts, only which words occur where. */
export interface SearchIndex {
  readonly search: (query: string, options?: SearchOptions) => SearchResult;
  /** Replaces documents with the same id. Adding many at once is faster than one by one. */
  readonly add: (documents: Iterable<SearchDocument>) => void;
  /** Returns how many there were. */
  readonly remove: (ids: Iterable<string>) => number;
  /** Removes all documents whose id starts with one of these; returns how many there were. */
  readonly removeStartingWith: (prefixes: Iterable<string>) => number;
  /** The number of documents. */
  readonly size: () => number;
  /** The whole index as bytes, for `load`. They contain nothing of removed documents, not even a word. */
  readonly save: () => Uint8Array;
  /** Replaces everything by the bytes of `save`. Damaged or foreign bytes are refused and change nothing. */
  readonly load: (bytes: Uint8Array) => LoadResult;
}

type LoadResult =
  | { readonly kind: "loaded" }
  /** `why` is a clause: "its checksum is wrong". */
  | { readonly kind: "refused"; readonly why: string };

/**
 * Creates an index in memory.
 *
 * @example
 * import { createSearchIndex } from "@caliban/memory/search";
 *
 * const index = createSearchIndex([{ id: "flags", body: "How to flip a feature flag." }]);
 * const { topics } = index.search("feature flags");
 * console.log(topics[0]?.id); // flags
 */
export function createSearchIndex(documents: Iterable<SearchDocument> = []): SearchIndex {
  let topics = createCollection();
  let turns = createCollection();
  const add = (more: Iterable<SearchDocument>): void => {
    checkArguments("createSearchIndex", { documents: more }, { documents: "list" });
    const all = lastOfEachId(more);
    const sessionParts = all.filter(({ kind = "topic" }) => isSessionKind(kind));
    const standalone = all.filter(({ kind = "topic" }) => !isSessionKind(kind));
    // A document may have moved from one collection to the other.
    topics.remove(idsOf(sessionParts));
    turns.remove(idsOf(standalone));
    topics.add(standalone);
    turns.add(sessionParts);
  };
  add(documents);
  return {
    search: (query, options = {}) => {
      checkArguments("search", { query }, { query: "string" });
      return searchBoth({ topics, turns }, analyzeQuery(query), options);
    },
    add,
    remove: (ids) => {
      const all = Array.from(ids, (id) => id.toWellFormed());
      return topics.remove(all) + turns.remove(all);
    },
    removeStartingWith: (prefixes) => {
      const matches = createPrefixTest(prefixes);
      return topics.removeAll(matches) + turns.removeAll(matches);
    },
    size: () => topics.view().live + turns.view().live,
    save: () => packIndex({ topics: topics.compacted(), turns: turns.compacted() }),
    load: (bytes) => {
      const opened = unpackIndex(bytes);
      if (typeof opened === "string") return { kind: "refused", why: opened };
      topics = createCollection(opened.topics);
      turns = createCollection(opened.turns);
      return { kind: "loaded" };
    },
  };
}

function searchBoth(
  { topics, turns }: { readonly topics: Collection; readonly turns: Collection },
  query: AnalyzedQuery,
  options: SearchOptions,
): SearchResult {
  const { kind = "all" } = options;
  const none = { turns: [], sessions: [] };
  return {
    topics: kind === "sessions" ? [] : findTopics(topics, query, options),
    ...(kind === "topics" ? none : findTurns(turns, query, options)),
    terms: [...query.terms.keys()],
    hasOnlyStopWords: query.hasOnlyStopWords,
    isTruncated: query.isTruncated,
  };
}

function idsOf(documents: readonly SearchDocument[]): readonly string[] {
  return documents.map(({ id }) => id);
}

const ID = { id: "string" } as const;

/** Ids are stored as UTF-8, which cannot represent lone surrogates. */
function lastOfEachId(documents: Iterable<SearchDocument>): readonly SearchDocument[] {
  const byId = new Map<string, SearchDocument>();
  for (const document of documents) {
    checkArguments("createSearchIndex", document, ID);
    const id = document.id.toWellFormed();
    byId.set(id, id === document.id ? document : { ...document, id });
  }
  return [...byId.values()];
}
