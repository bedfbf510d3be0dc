import type { AnalyzedQuery } from "./analyzer/analyze-query.ts";
import type { Collection } from "./collection.ts";
import { bestFor } from "./rank/best-for.ts";
import { type CollectionView, locate } from "./rank/collection-view.ts";
import type { Scored } from "./rank/best.ts";
import { mostHits } from "./rank/most-hits.ts";
import { rankTurns } from "./rank/rank-turns.ts";
import type { SessionLinks } from "./rank/session-links.ts";
import { wantedTest } from "./rank/filter.ts";
import type { FoundTurn, SearchOptions, SearchResult } from "./results.ts";
import { knownTime } from "./search-topics.ts";
import { KINDS } from "./segment/segment.ts";

const TURN = KINDS.indexOf("turn");

/** The best turns, and the best sessions as wholes. */
export function searchSessions(
  collection: Collection,
  { terms }: AnalyzedQuery,
  options: SearchOptions,
): Pick<SearchResult, "turns" | "sessions"> {
  const view = collection.view();
  if (view.live === 0) return { turns: [], sessions: [] };
  const links = collection.links();
  const passes = wantedTest(view, options);
  const isWanted = (document: number): boolean => view.kinds[document] === TURN && passes(document);
  const limit = mostHits(options.limit);
  const best = bestFor(view, { ...options, isWanted });
  const { turns, sessions } = rankTurns(view, links, { terms, best, isWanted, limit });
  return {
    turns: turns.map((turn) => turnAt(view, links, turn)),
    sessions: sessions.map(({ document, score }) => ({
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
    previous: idAt(view, previous[document]),
    next: idAt(view, next[document]),
  };
}

function idAt(view: CollectionView, document = -1): string | undefined {
  if (document === -1) return undefined;
  const { open, at } = locate(view, document);
  return open.idOf(at);
}
