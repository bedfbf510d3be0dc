export { searchTerms } from "./analyzer/query-terms.ts";
export { createSearchIndex, type LoadedIndex, type SearchIndex } from "./create-search-index.ts";
export type { DocumentKind, SearchDocument, StandingKind } from "./document.ts";
export { type MarkedText, withMarks } from "./marked-text.ts";
export type {
  FoundMemory,
  FoundPassage,
  FoundTopic,
  FoundTurnText,
  MemorySearch,
  MemorySearchRequest,
  SearchedAmounts,
  SearchedKind,
} from "./memory-search.ts";
export { parseSince, SINCE_FORMS } from "./parse-since.ts";
export { type Passage, type PassageTurn, toPassages } from "./passages.ts";
export {
  DEFAULT_SEARCH_LIMIT,
  type FoundDocument,
  type FoundSession,
  type FoundTurn,
  type SearchOptions,
  type SearchResult,
} from "./search-result.ts";
export type {
  ReadBefore,
  ReadEntry,
  SearchSource,
  ShownDocument,
  SourceEntry,
} from "./search-source.ts";
export { bestSnippet } from "./snippet.ts";
