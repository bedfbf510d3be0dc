// Index: documents in memory, found by words or embeddings.
export { createSearchIndex, type SearchIndex } from "./engine/search-index.ts";
export type { SearchDocument } from "./engine/document.ts";
export { DEFAULT_SEARCH_LIMIT } from "./engine/search-result.ts";
export { createEmbeddedSearch, type Embed } from "./engine/embedded-search.ts";
export { searchTerms } from "./analyzer/query-terms.ts";

// Memory search: one query over topics, sessions and learned memory.
export {
  type FoundMemory,
  type FoundPassage,
  type FoundScorePart,
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
export type { SearchSource } from "./live-index/source.ts";

// Output: results as text and JSON.
export { formatDayAndAge, formatSearchedCounts, toJson } from "./results/to-json.ts";
