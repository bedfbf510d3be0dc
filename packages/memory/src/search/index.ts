export { searchTerms } from "./analyzer/query-terms.ts";
export { createEmbeddedSearch, type EmbeddedResult, type EmbeddedSearch, type EmbeddedSearchOptions, type Embed, type EmbeddingState } from "./embedded-search.ts";
export { createSearchIndex, type LoadedIndex, type SearchIndex } from "./search-index.ts";
export type { DocumentKind, SearchDocument, StandingKind } from "./document.ts";
export {
  amountsInWords,
  dayAndAge,
  type FoundForPrograms,
  foundForPrograms,
  type TimeTold,
} from "./to-json.ts";
export { type MarkedText, withMarks, DEFAULT_SEARCH_LIMIT, type FoundDocument, type FoundSession, type FoundTurn, type SearchOptions, type SearchResult, type FoundMemory, type FoundPassage, type FoundTopic, type FoundTurnText, type MemorySearch, type MemorySearchRequest, SEARCHED_KINDS, type SearchedAmounts, type SearchedKind } from "./results.ts";

export { parseSince, SINCE_FORMS } from "./parse-since.ts";
export { type Passage, type PassageTurn, toPassages } from "./passages.ts";
export {
  MOST_RECALL_TOKENS,
  MOST_RECALLED,
  recalledSlugs,
  type RecalledTopic,
  recallNote,
} from "./recall/recall-note.ts";
export { type MatchedTopic, type StrongMatch, strongMatches } from "./recall/strong-matches.ts";


export type {
  ReadBefore,
  ReadEntry,
  SearchSource,
  ShownDocument,
  SourceEntry,
} from "./source.ts";
export { bestSnippet } from "./snippet/best-snippet.ts";
export { createStoreSearch } from "./store-search.ts";
