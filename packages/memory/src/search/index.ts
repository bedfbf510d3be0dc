export { searchTerms } from "./analyzer/query-terms.ts";
export {
  createEmbeddedSearch,
  type EmbeddedResult,
  type EmbeddedSearch,
  type EmbeddedSearchOptions,
  type Embed,
  type EmbeddingState,
} from "./embedded-search.ts";
export { createSearchIndex, type LoadResult, type SearchIndex } from "./search-index.ts";
export type { DocumentKind, SearchDocument, StandaloneKind } from "./document.ts";
export {
  formatSearchedCounts,
  formatDayAndAge,
  type FoundMemoryJson,
  toJson,
  type Timestamp,
} from "./to-json.ts";
export {
  type MarkedText,
  withMarks,
  DEFAULT_SEARCH_LIMIT,
  type FoundDocument,
  type FoundSession,
  type FoundTurn,
  type SearchOptions,
  type SearchResult,
  type FoundMemory,
  type FoundPassage,
  type FoundTopic,
  type FoundTurnText,
  type MemorySearch,
  type MemorySearchRequest,
  SEARCHED_KINDS,
  type SearchedCounts,
  type SearchedKind,
} from "./results.ts";

export { parseSince, SINCE_FORMS } from "./parse-since.ts";
export { type Passage, type PassageTurn, toPassages } from "./passages.ts";
export {
  MAX_RECALL_TOKENS,
  MAX_RECALLED_TOPICS,
  recalledSlugs,
  type RecalledTopic,
  recallNote,
} from "./recall/recall-note.ts";
export { type MatchedTopic, type StrongMatch, strongMatches } from "./recall/strong-matches.ts";

export type {
  PreviousRead,
  ReadEntry,
  SearchSource,
  ShownDocument,
  SourceEntry,
} from "./source.ts";
export { bestSnippet } from "./snippet/best-snippet.ts";
export { createStoreSearch } from "./store-search.ts";
