import type { EvidenceState } from "../topics/evidence-state.ts";
import type { Evidence } from "../topics/topic-fields.ts";
import {
  DEFAULT_SEARCH_LIMIT,
  type FoundDocument,
  type SearchOptions,
  type SearchResult,
} from "./engine/search-result.ts";
import type { RefreshedIndex } from "./live-index/live-index.ts";
import { type Passage, toPassages } from "./results/passages.ts";
import type {
  FoundMemory,
  FoundPassage,
  FoundTopic,
  FoundTurnText,
  MarkedText,
  MemorySearch,
  MemorySearchRequest,
  SearchedCounts,
} from "./results/results.ts";
import { shownScoreParts } from "./results/score-parts.ts";
import { notesOn } from "./results/search-notes.ts";
import { bestSnippet } from "./snippet/best-snippet.ts";
import type { SearchSource, ShownDocument } from "./live-index/source.ts";

export interface MemorySearchInput {
  /** A live index or an index cache. */
  readonly index: { readonly refresh: () => Promise<SearchableIndex> };
  /** The sources of the index: they show the results. */
  readonly sources: readonly Pick<SearchSource, "name" | "show">[];
  /** Tells whether the evidence of a topic is still there. */
  readonly checkEvidence?: CheckEvidence | undefined;
  /** Whether a turn says something that was forgotten: it is not shown. */
  readonly isForgotten?: IsForgotten | undefined;
  readonly now?: (() => number) | undefined;
}

export type CheckEvidence = (evidence: readonly Evidence[]) => Promise<EvidenceState>;

/** Whether a text repeats a forgotten statement; the session and the offset of its turn, if it is from one. */
export type IsForgotten = (statement: {
  readonly text: string;
  readonly session?: string | undefined;
  readonly byte?: number | undefined;
}) => boolean;

/** An index that is up to date, with or without embeddings. */
interface SearchableIndex extends Omit<RefreshedIndex, "index"> {
  readonly index: {
    readonly search: (query: string, options: SearchOptions) => AnyResult | Promise<AnyResult>;
  };
}

/** `embedding` says whether vectors were used, if there are any. */
type AnyResult = SearchResult & { readonly embedding?: string };

/** Extra results, because some may no longer exist when they are shown. */
const EXTRA_RESULTS = 4;
/** A passage joins about so many turns. */
const TURNS_PER_PASSAGE = 2;
const HIT_CHARACTERS = 300;
const NEIGHBOR_CHARACTERS = 200;

/** Refreshes an index, searches it, and shows the current text of each result. */
export function createMemorySearch({
  index,
  sources,
  checkEvidence,
  isForgotten = () => false,
  // oxlint-disable-next-line no-restricted-properties -- the default of a clock that callers may pass
  now = Date.now,
}: MemorySearchInput): MemorySearch {
  const byName = new Map(sources.map((source) => [source.name, source]));
  const show = async (id: string): Promise<ShownDocument | undefined> => {
    const source = byName.get(id.slice(0, id.indexOf(":")));
    return source === undefined ? undefined : await showIfPossible(source, id);
  };
  return {
    search: async (request) => {
      const { query, limit = DEFAULT_SEARCH_LIMIT } = request;
      const refreshed = await index.refresh();
      const found = await refreshed.index.search(query, {
        ...request,
        limit: (limit + EXTRA_RESULTS) * TURNS_PER_PASSAGE,
        nowMs: now(),
      });
      const topics = await firstOf(found.topics, limit, (hit) =>
        shownTopic(hit, { query, show, checkEvidence }),
      );
      const passages = toPassages(found.turns, limit + EXTRA_RESULTS);
      let forgotten = 0;
      const sessions = await firstOf(passages, limit, async (passage) => {
        const shown = await shownPassage(passage, { query, show, isForgotten });
        if (shown === FORGOTTEN) forgotten += 1;
        return shown === FORGOTTEN ? undefined : shown;
      });
      return {
        topics: demoteDoubtful(topics),
        sessions,
        searched: searchedCounts(refreshed.counts, request),
        notes: [...notesOn(found, request), ...forgottenNotes(forgotten), ...refreshed.notes],
      } satisfies FoundMemory;
    },
  };
}

function forgottenNotes(count: number): readonly string[] {
  if (count === 0) return [];
  if (count === 1) return ["1 passage was left out because it was forgotten."];
  return [`${count} passages were left out because they were forgotten.`];
}

/** Counts only what the request asks for. */
function searchedCounts(all: SearchedCounts, { kind, type }: MemorySearchRequest): SearchedCounts {
  const includesTopics = kind !== "sessions";
  const includesSessions = kind !== "topics" && type === undefined;
  return {
    topics: includesTopics ? all.topics : 0,
    sessions: includesSessions ? all.sessions : 0,
    turns: includesSessions ? all.turns : 0,
  };
}

/** How much of a score another topic may lack and still be shown before one whose evidence is not there any more. */
const NEARLY_EQUAL = 0.85;

/** Moves topics with doubtful evidence behind nearly equal ones. Nothing is hidden, and the order is kept otherwise. */
function demoteDoubtful(topics: readonly FoundTopic[]): readonly FoundTopic[] {
  const order = [...topics];
  // From the last one on, so that a topic passes those that come after it once.
  for (const doubtful of topics.filter(isDoubtful).toReversed()) {
    let at = order.indexOf(doubtful);
    for (let next = order[at + 1]; next !== undefined && yieldsTo(doubtful, next);) {
      [order[at], order[at + 1]] = [next, doubtful];
      at += 1;
      next = order[at + 1];
    }
  }
  return order;
}

function yieldsTo(doubtful: FoundTopic, next: FoundTopic): boolean {
  return !isDoubtful(next) && next.score >= doubtful.score * NEARLY_EQUAL;
}

function isDoubtful({ evidence = "ok" }: FoundTopic): boolean {
  return evidence !== "ok";
}

interface Showing extends Pick<MemorySearchInput, "checkEvidence"> {
  readonly query: string;
  readonly show: (id: string) => Promise<ShownDocument | undefined>;
}

/** The first results that still exist, up to a limit. */
async function firstOf<From, To>(
  from: readonly From[],
  limit: number,
  shownOf: (one: From) => Promise<To | undefined>,
): Promise<readonly To[]> {
  const all: To[] = [];
  for (const one of from) {
    if (all.length >= limit) break;
    const shown = await shownOf(one);
    if (shown !== undefined) all.push(shown);
  }
  return all;
}

async function shownTopic(
  { id, score, updatedMs, supersededBy, why }: FoundDocument,
  { query, show, checkEvidence }: Showing,
): Promise<FoundTopic | undefined> {
  const shown = await show(id);
  if (shown === undefined || shown.kind === "turn") return undefined;
  const { text, evidence, ...known } = shown;
  const state = evidence === undefined ? undefined : await checkEvidence?.(evidence);
  const replacement = supersededBy === undefined ? undefined : await show(supersededBy);
  const snippet = snippetOf([text, known.description, known.name], query);
  const fields = [
    ["name", known.name],
    ["description", known.description],
    ["text", text],
  ] as const;
  return {
    ...known,
    updatedMs,
    snippet,
    score: rounded(score),
    ...(state === undefined ? {} : { evidence: state }),
    ...(replacement && replacement.kind !== "turn" && { supersededBy: replacement.name }),
    ...(why && { why: shownScoreParts(why, { query, fields, hidden: "tags" }) }),
  };
}

/** From the first text that matches, to show why the topic was found; otherwise from the first text that is not empty. */
function snippetOf(texts: readonly string[], query: string): MarkedText {
  const snippets = texts.map((text) => bestSnippet(text, query));
  const first =
    snippets.find(({ marks }) => marks.length > 0) ?? snippets.find(({ text }) => text !== "");
  return first ?? { text: "", marks: [] };
}

async function shownPassage(
  { session, best, score, updatedMs, turns, why }: Passage,
  { query, show, isForgotten }: Showing & Required<Pick<MemorySearchInput, "isForgotten">>,
): Promise<FoundPassage | typeof FORGOTTEN | undefined> {
  const isHidden = (id: string, turn: ShownDocument | undefined): boolean =>
    turn?.kind === "turn" && isForgotten?.({ text: turn.text, session, byte: byteIn(id) }) === true;
  const all = await Promise.all(turns.map(({ id }) => show(id)));
  const shown = all.map((turn, at) => (isHidden(turns[at]?.id ?? "", turn) ? undefined : turn));
  if (all.some((turn, at) => turns[at]?.id === best && turn !== shown[at])) return FORGOTTEN;
  const snippets = turns.map(({ isHit }, at) => {
    const turn = shown[at];
    return isHit && turn?.kind === "turn"
      ? bestSnippet(turn.text, query, HIT_CHARACTERS)
      : undefined;
  });
  // A turn found only because of its neighbors is itself shown as a neighbor.
  const isHit = snippets.map(
    (snippet, at) => snippet !== undefined && (snippet.marks.length > 0 || turns[at]?.id === best),
  );
  const texts = shown.flatMap((turn, at): readonly FoundTurnText[] => {
    if (turn?.kind !== "turn" || ![at - 1, at, at + 1].some((neighbor) => isHit[neighbor]))
      return [];
    const text = (isHit[at] ? snippets[at] : undefined) ?? startOf(turn.text);
    return [{ role: turn.role, text, isHit: isHit[at] === true }];
  });
  const first = shown.find((turn) => turn?.kind === "turn");
  if (first === undefined || texts.length === 0) return undefined;
  const { agent, title } = first;
  const bestTurn = shown[turns.findIndex(({ id }) => id === best)];
  const fields = bestTurn?.kind === "turn" ? [["text", bestTurn.text] as const] : [];
  return {
    session,
    agent,
    title: isForgotten?.({ text: title }) === true ? "(forgotten)" : title,
    updatedMs,
    turns: texts,
    score: rounded(score),
    ...(why && { why: shownScoreParts(why, { query, fields, hidden: "learned facts" }) }),
  };
}

/** A passage that was found because of something forgotten. */
const FORGOTTEN = Symbol("forgotten");

/** The offset in the id of a turn. */
function byteIn(id: string): number | undefined {
  const byte = /#(\d{1,16})$/.exec(id)?.[1];
  return byte === undefined ? undefined : Number(byte);
}

function startOf(text: string): MarkedText {
  const line = text.trim().replaceAll(/\s+/g, " ");
  const isLong = line.length > NEIGHBOR_CHARACTERS;
  return {
    text: isLong ? `${line.slice(0, NEIGHBOR_CHARACTERS).toWellFormed()}…` : line,
    marks: [],
  };
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}

/** A document that cannot be read counts as missing. Refreshing the index reports the reason. */
async function showIfPossible(
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
