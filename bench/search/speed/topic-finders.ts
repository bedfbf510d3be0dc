import { DatabaseSync } from "node:sqlite";
import MiniSearch from "minisearch";
import { analyzeToken } from "../../../packages/memory/src/search/analyzer/analyze-token.ts";
import { createSearchIndex } from "../../../packages/memory/src/search/engine/search-index.ts";
import type { SearchDocument } from "../../../packages/memory/src/search/engine/document.ts";
import { DEFAULT_SEARCH_LIMIT } from "../../../packages/memory/src/search/engine/search-result.ts";
import { FIELDS } from "../../../packages/memory/src/search/engine/segment/build-segment.ts";
import { matchAny, significantTokens, tokenize } from "../words.ts";

/** Returns the number of results, at most as many as a search shows. */
export type CountFound = (query: string) => number;

/** The fields that generated topics have. */
const PARTS = FIELDS.filter(({ field }) => field !== "facts" && field !== "tags");

export function caliban(documents: readonly SearchDocument[]): CountFound {
  const index = createSearchIndex(documents);
  return (query) => index.search(query).topics.length;
}

export function calibanTurns(documents: readonly SearchDocument[]): CountFound {
  const index = createSearchIndex(documents);
  return (query) => index.search(query).turns.length;
}

/** Uses our tokens and weights, so that it does the same work. */
export function miniSearch(documents: readonly SearchDocument[]): CountFound {
  const index = new MiniSearch<SearchDocument>({
    fields: PARTS.map(({ field }) => field),
    processTerm: (term) => [...analyzeToken(term).terms],
    searchOptions: { boost: Object.fromEntries(PARTS.map(({ field, weight }) => [field, weight])) },
  });
  index.addAll(documents);
  return (query) => index.search(query).slice(0, DEFAULT_SEARCH_LIMIT).length;
}

/** Queries the same full-text index of SQLite for every word, or for all words except stop words. */
export function createFts5Finders(documents: readonly SearchDocument[]): {
  readonly everyWord: CountFound;
  readonly significantTokens: CountFound;
} {
  const database = new DatabaseSync(":memory:");
  const columns = PARTS.map(({ field }) => field).join(", ");
  database.exec(
    `CREATE VIRTUAL TABLE topics USING fts5(${columns}, tokenize = 'porter unicode61')`,
  );
  const weights = PARTS.map(({ weight }) => weight).join(", ");
  // Sorting by `rank` is the fastest way.
  database.exec(`INSERT INTO topics (topics, rank) VALUES ('rank', 'bm25(${weights})')`);
  const placeholders = PARTS.map(() => "?").join(", ");
  const insert = database.prepare(`INSERT INTO topics (${columns}) VALUES (${placeholders})`);
  database.exec("BEGIN");
  for (const document of documents) insert.run(...PARTS.map(({ field }) => document[field] ?? ""));
  database.exec("COMMIT");
  database.exec("INSERT INTO topics (topics) VALUES ('optimize')");
  const select = database.prepare(
    `SELECT rowid, rank FROM topics WHERE topics MATCH ? ORDER BY rank LIMIT ${DEFAULT_SEARCH_LIMIT}`,
  );
  return {
    everyWord: (query) => select.all(matchAny(tokenize(query))).length,
    significantTokens: (query) => select.all(matchAny(significantTokens(query))).length,
  };
}
