import { type FoundDocument, type SearchResult, DEFAULT_SEARCH_LIMIT, type MarkedText, type FoundMemory, type FoundPassage, type FoundTopic, type FoundTurnText, type MemorySearch, type MemorySearchRequest, type SearchedCounts } from "./results.ts";

import type { IndexCache } from "./live-index/live-index.ts";


import { type Passage, toPassages } from "./passages.ts";
import type { SearchSource, ShownDocument } from "./source.ts";
import { bestSnippet } from "./snippet/best-snippet.ts";

export interface MemorySearchInput {
  readonly index: Pick<IndexCache, "fresh">;
  /** The ones of the cache: they show what was found. */
  readonly sources: readonly Pick<SearchSource, "name" | "show">[];
}

/** Some of what is found may be gone when it is to be shown: so many more are asked for. */
const MORE = 4;
const HIT_CHARACTERS = 300;
const BESIDE_CHARACTERS = 200;

/** Searches the index of a cache, and shows what was found as it is now. */
export function createMemorySearch({ index: cache, sources }: MemorySearchInput): MemorySearch {
  const byName = new Map(sources.map((source) => [source.name, source]));
  const show = async (id: string): Promise<ShownDocument | undefined> => {
    const source = byName.get(id.slice(0, id.indexOf(":")));
    return source === undefined ? undefined : await shownUnlessRefused(source, id);
  };
  return {
    search: async (request) => {
      const { query, limit = DEFAULT_SEARCH_LIMIT } = request;
      const fresh = await cache.refresh();
      const found = fresh.index.search(query, { ...request, limit: limit + MORE });
      const topics = await firstOf(found.topics, limit, (hit) => shownTopic(hit, { query, show }));
      const passages = toPassages(found.turns, limit + MORE);
      const sessions = await firstOf(passages, limit, (passage) =>
        shownPassage(passage, { query, show }),
      );
      return {
        topics,
        sessions,
        searched: amountsOf(fresh.counts, request),
        notes: [...notesOn(found, request), ...fresh.notes],
      } satisfies FoundMemory;
    },
  };
}

/** Only what was asked for is looked through. */
function amountsOf(all: SearchedCounts, { kind, type }: MemorySearchRequest): SearchedCounts {
  const isWithTopics = kind !== "sessions";
  const isWithSessions = kind !== "topics" && type === undefined;
  return {
    topics: isWithTopics ? all.topics : 0,
    sessions: isWithSessions ? all.sessions : 0,
    turns: isWithSessions ? all.turns : 0,
  };
}

interface Showing {
  readonly query: string;
  readonly show: (id: string) => Promise<ShownDocument | undefined>;
}

/** The first so many of which there is something to show. */
async function firstOf<From, To>(
  from: readonly From[],
  limit: number,
  shownOf: (one: From) => Promise<To | undefined>,
): Promise<readonly To[]> {
  const all: To[] = [];
  for (const one of from) {
    if (all.length >= limit) break;
    // oxlint-disable-next-line no-await-in-loop -- most often none is looked at in vain
    const shown = await shownOf(one);
    if (shown !== undefined) all.push(shown);
  }
  return all;
}

async function shownTopic(
  { id, score, updatedMs }: FoundDocument,
  { query, show }: Showing,
): Promise<FoundTopic | undefined> {
  const shown = await show(id);
  if (shown === undefined || shown.kind === "turn") return undefined;
  const { text, ...known } = shown;
  const snippet = snippetOf([text, known.description, known.name], query);
  return { ...known, updatedMs, snippet, score: rounded(score) };
}

/** Of the first text that holds what was looked for, so that it is seen why the topic was found; else of the first that has words. */
function snippetOf(texts: readonly string[], query: string): MarkedText {
  const snippets = texts.map((text) => bestSnippet(text, query));
  const first =
    snippets.find(({ marks }) => marks.length > 0) ?? snippets.find(({ text }) => text !== "");
  return first ?? { text: "", marks: [] };
}

async function shownPassage(
  { session, best, score, updatedMs, turns }: Passage,
  { query, show }: Showing,
): Promise<FoundPassage | undefined> {
  const shown = await Promise.all(turns.map(({ id }) => show(id)));
  const snippets = turns.map(({ isHit }, at) => {
    const turn = shown[at];
    return isHit && turn?.kind === "turn"
      ? bestSnippet(turn.text, query, HIT_CHARACTERS)
      : undefined;
  });
  // Some are found only for the words beside them: those are neighbours as others are, and need none of their own.
  const isHit = snippets.map(
    (snippet, at) => snippet !== undefined && (snippet.marks.length > 0 || turns[at]?.id === best),
  );
  const texts = shown.flatMap((turn, at): readonly FoundTurnText[] => {
    if (turn?.kind !== "turn" || ![at - 1, at, at + 1].some((near) => isHit[near])) return [];
    const text = (isHit[at] ? snippets[at] : undefined) ?? beginning(turn.text);
    return [{ role: turn.role, text, isHit: isHit[at] === true }];
  });
  const first = shown.find((turn) => turn?.kind === "turn");
  if (first === undefined || texts.length === 0) return undefined;
  const { agent, title } = first;
  return { session, agent, title, updatedMs, turns: texts, score: rounded(score) };
}

function beginning(text: string): MarkedText {
  const line = text.trim().replaceAll(/\s+/g, " ");
  const isLong = line.length > BESIDE_CHARACTERS;
  return { text: isLong ? `${line.slice(0, BESIDE_CHARACTERS).toWellFormed()}…` : line, marks: [] };
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}

function notesOn(
  { isTruncated: isCut, hasOnlyStopWords: isOnlyStops, terms }: SearchResult,
  { kind, type }: MemorySearchRequest,
): readonly string[] {
  const notes: string[] = [];
  if (isCut) notes.push("The query was cut: only its beginning was looked for.");
  if (terms.length === 0) notes.push("The query has no word to look for.");
  else if (isOnlyStops) {
    notes.push(
      "The query has only words that are in nearly every text; they were looked for in names, descriptions and tags alone.",
    );
  }
  if (kind === "sessions" && type !== undefined) {
    notes.push("Sessions have no type: leave type out to find them.");
  }
  return notes;
}

/** What cannot be shown is as good as gone; that it could not be read is said when it is read for the index. */
async function shownUnlessRefused(
  source: Pick<SearchSource, "show">,
  id: string,
): Promise<ShownDocument | undefined> {
  try {
    return await source.show(id);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
