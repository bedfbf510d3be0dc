// Index: documents in memory, found by words or embeddings.
export { createSearchIndex, type SearchIndex } from "./search-index.ts";
export type { SearchDocument } from "./documents/document.ts";
export { createEmbeddedSearch, type Embed } from "./embedded-search.ts";
export { searchTerms } from "./analyzer/query-terms.ts";

// Memory search: one query over topics, sessions and learned memory.
export {
  DEFAULT_SEARCH_LIMIT,
  type FoundMemory,
  type FoundPassage,
  type FoundTopic,
  type FoundTurnText,
  type MarkedText,
  type MemorySearch,
  type MemorySearchRequest,
  SEARCHED_KINDS,
  type SearchedKind,
  withMarks,
} from "./results/results.ts";
export { parseSince, SINCE_FORMS } from "./parse-since.ts";
export { createStoreSearch } from "./store-search.ts";
export type { SearchSource } from "./source.ts";

// Output: results as text and JSON.
export { formatDayAndAge, formatSearchedCounts, toJson } from "./results/to-json.ts";
