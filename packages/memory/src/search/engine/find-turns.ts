import type { AnalyzedQuery } from "../analyzer/query-terms.ts";
import type { Collection } from "./collection.ts";
import { type CollectionView, idAt, knownTime, locate } from "./rank/collection-view.ts";
import { explainTurn } from "./rank/explain-score.ts";
import { createFilter } from "./rank/filter.ts";
import { notLifted } from "./rank/newer-first.ts";
import { findPostings } from "./rank/postings.ts";
import { preferNewerSessions, preferNewerTurns } from "./rank/prefer-newer.ts";
import { rankTurns } from "./rank/rank-turns.ts";
import type { SessionLinks } from "./rank/session-links.ts";
import { normalizeLimit, poolSize, type Scored, topListFor } from "./rank/top-list.ts";
import type { FoundTurn, SearchOptions, SearchResult } from "./search-result.ts";
import { KINDS } from "./segment/segment.ts";

const TURN = KINDS.indexOf("turn");

/** The best turns, and the best whole sessions. */
export function findTurns(
  collection: Collection,
  { terms, asksAboutPast }: AnalyzedQuery,
  options: SearchOptions,
): Pick<SearchResult, "turns" | "sessions"> {
  const view = collection.view();
  if (view.live === 0) return { turns: [], sessions: [] };
  const links = collection.links();
  const passes = createFilter(view, options);
  const matches = (document: number): boolean => view.kinds[document] === TURN && passes(document);
  const limit = normalizeLimit(options.limit);
  const pool = poolSize(limit);
  const top = topListFor(view, { ...options, limit: pool, matches });
  const postings = findPostings(view, terms);
  const ranked = rankTurns(view, links, { postings, top, matches, limit: pool });
  const { nowMs = Infinity, why } = options;
  const input = { view, postings, terms: terms.size, nowMs, links, ranked };
  const turns = asksAboutPast ? ranked.turns.map(notLifted) : preferNewerTurns(input);
  const sessions = asksAboutPast ? ranked.sessions : preferNewerSessions(input);
  return {
    turns: turns.slice(0, limit).map((turn) => {
      const parts = why === true ? { why: explainTurn(turn, input) } : {};
      return Object.assign(turnAt(view, links, turn), parts);
    }),
    sessions: sessions.slice(0, limit).map(({ document, score }) => ({
      session: links.names[document] ?? "",
      score,
    })),
  };
}

function turnAt(
  view: CollectionView,
  { names, sessionOf, previous, next }: SessionLinks,
  { document, score }: Scored,
): FoundTurn {
  const { open, at } = locate(view, document);
  return {
    id: open.idOf(at),
    session: names[sessionOf[document] ?? 0] ?? "",
    turn: open.segment.turns[at] ?? 0,
    updatedMs: knownTime(open.segment.times[at]),
    score,
    previous: neighborAt(view, previous[document]),
    next: neighborAt(view, next[document]),
  };
}

function neighborAt(view: CollectionView, document = -1): string | undefined {
  return document === -1 ? undefined : idAt(view, document);
}
