import { DatabaseSync } from "node:sqlite";
import MiniSearch from "minisearch";
import { analyzeToken } from "../../../packages/memory/src/search/analyzer/analyze-token.ts";
import { createSearchIndex } from "../../../packages/memory/src/search/search-index.ts";
import type { SearchDocument } from "../../../packages/memory/src/search/document.ts";
import { DEFAULT_SEARCH_LIMIT } from "../../../packages/memory/src/search/results.ts";
import { FIELDS } from "../../../packages/memory/src/search/segment/build-segment.ts";
import { anyOf, tellingWords, wordsOf } from "../words.ts";

/** Gives how many it found: at most as many as a search shows. */
export type CountFound = (query: string) => number;

/** The parts of a topic that the made ones have. */
const PARTS = FIELDS.filter(({ field }) => field !== "facts" && field !== "tags");

export function caliban(documents: readonly SearchDocument[]): CountFound {
  const index = createSearchIndex(documents);
  return (query) => index.search(query).topics.length;
}

export function calibanTurns(documents: readonly SearchDocument[]): CountFound {
  const index = createSearchIndex(documents);
  return (query) => index.search(query).turns.length;
}

/** With our words and weights, so that it does the same work. */
export function miniSearch(documents: readonly SearchDocument[]): CountFound {
  const index = new MiniSearch<SearchDocument>({
    fields: PARTS.map(({ field }) => field),
    processTerm: (term) => [...analyzeToken(term).terms],
    searchOptions: { boost: Object.fromEntries(PARTS.map(({ field, weight }) => [field, weight])) },
  });
  index.addAll(documents);
  return (query) => index.search(query).slice(0, DEFAULT_SEARCH_LIMIT).length;
}

/** Two ways to ask the same full text of SQLite: for every word, and only for those that say something. */
export function fullText(documents: readonly SearchDocument[]): {
  readonly everyWord: CountFound;
  readonly tellingWords: CountFound;
} {
  const database = new DatabaseSync(":memory:");
  const columns = PARTS.map(({ field }) => field).join(", ");
  database.exec(
    `CREATE VIRTUAL TABLE topics USING fts5(${columns}, tokenize = 'porter unicode61')`,
  );
  const weights = PARTS.map(({ weight }) => weight).join(", ");
  // Sorting by `rank` is the fastest that it has.
  database.exec(`INSERT INTO topics (topics, rank) VALUES ('rank', 'bm25(${weights})')`);
  const places = PARTS.map(() => "?").join(", ");
  const insert = database.prepare(`INSERT INTO topics (${columns}) VALUES (${places})`);
  database.exec("BEGIN");
  for (const document of documents) insert.run(...PARTS.map(({ field }) => document[field] ?? ""));
  database.exec("COMMIT");
  database.exec("INSERT INTO topics (topics) VALUES ('optimize')");
  const select = database.prepare(
    `SELECT rowid, rank FROM topics WHERE topics MATCH ? ORDER BY rank LIMIT ${DEFAULT_SEARCH_LIMIT}`,
  );
  return {
    everyWord: (query) => select.all(anyOf(wordsOf(query))).length,
    tellingWords: (query) => select.all(anyOf(tellingWords(query))).length,
  };
}
