import { type AnalyzedQuery, analyzeQuery } from "./analyzer/query-terms.ts";
import { type Collection, createCollection } from "./collection.ts";
import { isSessionKind, type SearchDocument } from "./document.ts";
import { unpackIndex, packIndex } from "./segment/pack-index.ts";
import { createPrefixTest, textAt } from "./segment/packed-texts.ts";
import type { SearchOptions, SearchResult, FoundDocument, FoundTurn } from "./results.ts";
import { createFilter } from "./rank/filter.ts";
import { topListFor, type Scored, normalizeLimit } from "./rank/best.ts";
import { locate, type CollectionView } from "./rank/collection-view.ts";
import { createCoverage, findPostings } from "./rank/postings.ts";

import { rankDocuments } from "./rank/rank-documents.ts";

import { KINDS } from "./segment/segment.ts";


import { rankTurns } from "./rank/rank-turns.ts";
import type { SessionLinks } from "./rank/session-links.ts";

/** Finds documents by words, without a model. It keeps no texts: only which words are where. */
export interface SearchIndex {
  readonly search: (query: string, options?: SearchOptions) => SearchResult;
  /** Each takes the place of one with the same id. Many at once are added faster than one by one. */
  readonly add: (documents: Iterable<SearchDocument>) => void;
  /** Says how many there were. */
  readonly remove: (ids: Iterable<string>) => number;
  /** Removes all documents whose id begins with one of these; says how many there were. */
  readonly removeStartingWith: (prefixes: Iterable<string>) => number;
  /** How many documents there are. */
  readonly size: () => number;
  /** The whole index as bytes, for `load`. Nothing of documents that are gone is in them, not even a word. */
  readonly save: () => Uint8Array;
  /** Takes up what `save` gave, in place of everything that is there. What is damaged or foreign is refused and changes nothing. */
  readonly load: (bytes: Uint8Array) => LoadResult;
}

export type LoadResult =
  | { readonly kind: "loaded" }
  /** `why` is a part of a sentence: "its checksum is wrong". */
  | { readonly kind: "refused"; readonly why: string };

export function createSearchIndex(documents: Iterable<SearchDocument> = []): SearchIndex {
  let topics = createCollection();
  let turns = createCollection();
  const add = (more: Iterable<SearchDocument>): void => {
    const all = lastOfEachId(more);
    const ofSessions = all.filter(({ kind = "topic" }) => isSessionKind(kind));
    const standing = all.filter(({ kind = "topic" }) => !isSessionKind(kind));
    // What was of one collection may be of the other by now.
    topics.remove(idsOf(ofSessions));
    turns.remove(idsOf(standing));
    topics.add(standing);
    turns.add(ofSessions);
  };
  add(documents);
  return {
    search: (query, options = {}) => searchBoth({ topics, turns }, analyzeQuery(query), options),
    add,
    remove: (ids) => {
      const all = Array.from(ids, (id) => id.toWellFormed());
      return topics.remove(all) + turns.remove(all);
    },
    removeStartingWith: (prefixes) => {
      const isMeant = createPrefixTest(prefixes);
      return topics.removeAll(isMeant) + turns.removeAll(isMeant);
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

/** Ids are kept as UTF-8, which knows no half characters. */
function lastOfEachId(documents: Iterable<SearchDocument>): readonly SearchDocument[] {
  const byId = new Map<string, SearchDocument>();
  for (const document of documents) {
    const id = document.id.toWellFormed();
    byId.set(id, id === document.id ? document : { ...document, id });
  }
  return [...byId.values()];
}

/** The best of the documents that stand for themselves. */
export function searchTopics(
  collection: Collection,
  { terms }: AnalyzedQuery,
  options: SearchOptions,
): readonly FoundDocument[] {
  const view = collection.view();
  const isWanted = createFilter(view, options);
  const best = topListFor(view, { ...options, isWanted });
  const postings = findPostings(view, terms);
  const coverage = createCoverage(postings, { terms: terms.size, size: view.live });
  return rankDocuments(view, { postings, best, isWanted }).map(({ document, score }) => {
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

export function knownTime(time: number | undefined): number | undefined {
  return time === undefined || time === -Infinity ? undefined : time;
}

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
  const passes = createFilter(view, options);
  const isWanted = (document: number): boolean => view.kinds[document] === TURN && passes(document);
  const limit = normalizeLimit(options.limit);
  const best = topListFor(view, { ...options, isWanted });
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
