import { checkArguments } from "../../check-arguments.ts";
import { type AnalyzedQuery, analyzeQuery } from "../analyzer/query-terms.ts";
import { type Collection, createCollection } from "./collection.ts";
import { isSessionKind, type SearchDocument } from "./document.ts";
import { normalizeLimit, type Scored, topListFor } from "./rank/top-list.ts";
import { type CollectionView, locate } from "./rank/collection-view.ts";
import { createFilter } from "./rank/filter.ts";
import { createCoverage, findPostings } from "./rank/postings.ts";
import { preferNewerSessions, preferNewerTopics, preferNewerTurns } from "./rank/prefer-newer.ts";
import { rankDocuments } from "./rank/rank-documents.ts";
import { rankTurns } from "./rank/rank-turns.ts";
import type { SessionLinks } from "./rank/session-links.ts";
import type { FoundDocument, FoundTurn, SearchOptions, SearchResult } from "./search-result.ts";
import { packIndex, unpackIndex } from "./segment/pack-index.ts";
import { createPrefixTest, textAt } from "./segment/packed-texts.ts";
import { KINDS } from "./segment/segment.ts";

/** Finds documents by words, without a model. It stores no texts, only which words occur where. */
export interface SearchIndex {
  readonly search: (query: string, options?: SearchOptions) => SearchResult;
  /** Replaces documents with the same id. Adding many at once is faster than one by one. */
  readonly add: (documents: Iterable<SearchDocument>) => void;
  /** Returns how many there were. */
  readonly remove: (ids: Iterable<string>) => number;
  /** Removes all documents whose id starts with one of these; returns how many there were. */
  readonly removeStartingWith: (prefixes: Iterable<string>) => number;
  /** The number of documents. */
  readonly size: () => number;
  /** The whole index as bytes, for `load`. They contain nothing of removed documents, not even a word. */
  readonly save: () => Uint8Array;
  /** Replaces everything by the bytes of `save`. Damaged or foreign bytes are refused and change nothing. */
  readonly load: (bytes: Uint8Array) => LoadResult;
}

type LoadResult =
  | { readonly kind: "loaded" }
  /** `why` is a clause: "its checksum is wrong". */
  | { readonly kind: "refused"; readonly why: string };

/**
 * Creates an index in memory.
 *
 * @example
 * import { createSearchIndex } from "@caliban/memory/search";
 *
 * const index = createSearchIndex([{ id: "flags", body: "How to flip a feature flag." }]);
 * const { topics } = index.search("feature flags");
 * console.log(topics[0]?.id); // flags
 */
export function createSearchIndex(documents: Iterable<SearchDocument> = []): SearchIndex {
  let topics = createCollection();
  let turns = createCollection();
  const add = (more: Iterable<SearchDocument>): void => {
    checkArguments("createSearchIndex", { documents: more }, { documents: "list" });
    const all = lastOfEachId(more);
    const sessionParts = all.filter(({ kind = "topic" }) => isSessionKind(kind));
    const standalone = all.filter(({ kind = "topic" }) => !isSessionKind(kind));
    // A document may have moved from one collection to the other.
    topics.remove(idsOf(sessionParts));
    turns.remove(idsOf(standalone));
    topics.add(standalone);
    turns.add(sessionParts);
  };
  add(documents);
  return {
    search: (query, options = {}) => {
      checkArguments("search", { query }, { query: "string" });
      return searchBoth({ topics, turns }, analyzeQuery(query), options);
    },
    add,
    remove: (ids) => {
      const all = Array.from(ids, (id) => id.toWellFormed());
      return topics.remove(all) + turns.remove(all);
    },
    removeStartingWith: (prefixes) => {
      const matches = createPrefixTest(prefixes);
      return topics.removeAll(matches) + turns.removeAll(matches);
    },
    size: () => topics.view().live + turns.view().live,
    save: () => packIndex({ topics: topics.compacted(), turns: turns.compacted() }),
    load: (bytes) => {
      const opened = unpackIndex(bytes);
      if (typeof opened === "string") return { kind: "refused", why: opened };
      topics = createCollection(opened.topics);
      turns = createCollection(opened.turns);
      return { kind: "loaded" };
    },
  };
}

function searchBoth(
  { topics, turns }: { readonly topics: Collection; readonly turns: Collection },
  query: AnalyzedQuery,
  options: SearchOptions,
): SearchResult {
  const { kind = "all" } = options;
  const none = { turns: [], sessions: [] };
  return {
    topics: kind === "sessions" ? [] : searchTopics(topics, query, options),
    ...(kind === "topics" ? none : searchSessions(turns, query, options)),
    terms: [...query.terms.keys()],
    hasOnlyStopWords: query.hasOnlyStopWords,
    isTruncated: query.isTruncated,
  };
}

function idsOf(documents: readonly SearchDocument[]): readonly string[] {
  return documents.map(({ id }) => id);
}

const ID = { id: "string" } as const;

/** Ids are stored as UTF-8, which cannot represent lone surrogates. */
function lastOfEachId(documents: Iterable<SearchDocument>): readonly SearchDocument[] {
  const byId = new Map<string, SearchDocument>();
  for (const document of documents) {
    checkArguments("createSearchIndex", document, ID);
    const id = document.id.toWellFormed();
    byId.set(id, id === document.id ? document : { ...document, id });
  }
  return [...byId.values()];
}

/** The best documents that are ranked independently. */
function searchTopics(
  collection: Collection,
  { terms, asksAboutPast }: AnalyzedQuery,
  options: SearchOptions,
): readonly FoundDocument[] {
  const view = collection.view();
  const matches = createFilter(view, options);
  const limit = normalizeLimit(options.limit);
  const top = topListFor(view, { ...options, limit: poolSize(limit), matches });
  const postings = findPostings(view, terms);
  const coverage = createCoverage(postings, { terms: terms.size, size: view.live });
  const { nowMs = Infinity } = options;
  const byScore = rankDocuments(view, { postings, top, matches });
  const ranked = asksAboutPast
    ? byScore
    : preferNewerTopics(byScore, { view, postings, terms: terms.size, nowMs });
  return ranked.slice(0, limit).map(({ document, score }) => {
    const { open, at } = locate(view, document);
    const { segment } = open;
    const kind = KINDS[segment.kinds[at] ?? 0];
    return {
      id: open.idOf(at),
      kind: kind === "section" || kind === "skill" ? kind : "topic",
      type: textAt(segment.typeNames, segment.types[at] ?? 0) || undefined,
      updatedMs: knownTime(segment.times[at]),
      score,
      coverage: coverage(document),
    };
  });
}

/** More hits than are shown, because a newer one may move up. */
const EXTRA_HITS = 8;

function poolSize(limit: number): number {
  return limit === 0 ? 0 : limit + EXTRA_HITS;
}

function knownTime(time: number | undefined): number | undefined {
  return time === undefined || time === -Infinity ? undefined : time;
}

const TURN = KINDS.indexOf("turn");

/** The best turns, and the best whole sessions. */
function searchSessions(
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
  const { nowMs = Infinity } = options;
  const time = { view, postings, terms: terms.size, nowMs, links, ranked };
  const turns = asksAboutPast ? ranked.turns : preferNewerTurns(time);
  const sessions = asksAboutPast ? ranked.sessions : preferNewerSessions(time);
  return {
    turns: turns.slice(0, limit).map((turn) => turnAt(view, links, turn)),
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
    previous: idAt(view, previous[document]),
    next: idAt(view, next[document]),
  };
}

function idAt(view: CollectionView, document = -1): string | undefined {
  if (document === -1) return undefined;
  const { open, at } = locate(view, document);
  return open.idOf(at);
}
