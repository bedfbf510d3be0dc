export { searchTerms } from "./analyzer/query-terms.ts";
export { createSearchIndex, type LoadedIndex, type SearchIndex } from "./create-search-index.ts";
export type { DocumentKind, SearchDocument, StandingKind } from "./document.ts";
export {
  DEFAULT_SEARCH_LIMIT,
  type FoundDocument,
  type FoundSession,
  type FoundTurn,
  type SearchOptions,
  type SearchResult,
} from "./search-result.ts";
