import { DatabaseSync } from "node:sqlite";
import MiniSearch, { type Options } from "minisearch";
import { createSearchIndex } from "../../../packages/memory/src/search/engine/search-index.ts";
import { analyzeToken } from "../../../packages/memory/src/search/analyzer/analyze-token.ts";
import type { Meeting } from "../meetings.ts";
import { matchAny, significantTokens, tokenize } from "../words.ts";
import { TOP } from "./measures.ts";
import { turnDocuments } from "./turn-documents.ts";

/** Returns the numbers of the best turns of a meeting, best first. */
export type FindTurns = (query: string) => readonly number[];

/** The engines that are compared, by name. Each is created once per meeting. */
export const TURN_FINDERS: Readonly<Record<string, (meeting: Meeting) => FindTurns>> = {
  caliban: (meeting) => {
    const index = createSearchIndex(turnDocuments(meeting));
    return (query) =>
      index.search(query, { kind: "sessions", limit: TOP }).turns.map(({ turn }) => turn);
  },
  "MiniSearch, our stop list and stemmer": (meeting) =>
    miniSearch(meeting, { processTerm: (term) => [...analyzeToken(term).terms] }),
  "MiniSearch with its defaults": (meeting) => miniSearch(meeting, {}),
  "FTS5 porter, our stop list": (meeting) => fullText(meeting, significantTokens),
  "FTS5 porter, every word": (meeting) => fullText(meeting, tokenize),
  "grep, counting words": grepCount,
};

function miniSearch(meeting: Meeting, options: Partial<Options>): FindTurns {
  const index = new MiniSearch({ ...options, fields: ["body"] });
  index.addAll(turnDocuments(meeting).map(({ turn, body }) => ({ id: turn, body })));
  return (query) =>
    index
      .search(query)
      .slice(0, TOP)
      .map(({ id }) => Number(id));
}

function fullText(meeting: Meeting, pick: (query: string) => readonly string[]): FindTurns {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE turns USING fts5(body, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO turns (rowid, body) VALUES (?, ?)");
  for (const { turn, body } of turnDocuments(meeting)) insert.run(turn, body);
  const select = database.prepare(
    `SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ${TOP}`,
  );
  return (query) => select.all(matchAny(pick(query))).map(({ rowid }) => Number(rowid));
}

/** Counts the words of the question that occur in the turn, as a search without an index would. */
function grepCount(meeting: Meeting): FindTurns {
  const turns = turnDocuments(meeting).map(({ turn, body }) => ({
    turn,
    text: body.toLowerCase(),
  }));
  return (query) => {
    const words = [...new Set(tokenize(query))];
    const counted = turns.map(({ turn, text }) => ({
      turn,
      count: words.filter((word) => text.includes(word)).length,
    }));
    return counted
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count || a.turn - b.turn)
      .slice(0, TOP)
      .map(({ turn }) => turn);
  };
}
