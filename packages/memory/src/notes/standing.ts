import type { SearchResult } from "../search/engine/search-result.ts";
import type { IndexedNote } from "./note-table.ts";

/** How the conversation or topic of a record ranks in a search for the task. */
interface Standing {
  /** From 0 to 1: its score, compared with the best one. */
  readonly share: number;
  /** 1 for the first one, 1/2 for the second, and so on; 0 if it was not found. */
  readonly place: number;
}

export type StandingOf = (note: Pick<IndexedNote, "entry" | "kind">) => Standing;

const NOT_FOUND: Standing = { share: 0, place: 0 };

/** Nothing was searched. */
export const noStanding: StandingOf = () => NOT_FOUND;

/** Topics and conversations are ranked apart, because their scores cannot be compared. */
export function standingsIn({
  topics,
  sessions,
}: Pick<SearchResult, "topics" | "sessions">): StandingOf {
  const ofTopics = rank(topics.map(({ id, score }) => [id.slice(0, id.indexOf("#")), score]));
  const ofSessions = rank(sessions.map(({ session, score }) => [session, score]));
  return ({ entry, kind }) => {
    // A document with many facts says little about each of them.
    if (kind === "section") return NOT_FOUND;
    const found = kind === "topic" ? ofTopics.get(entry) : ofSessions.get(keyOf(entry));
    return found ?? NOT_FOUND;
  };
}

function keyOf(entry: string): string {
  return entry.slice(entry.indexOf(":") + 1);
}

function rank(scored: readonly (readonly [name: string, score: number])[]): Map<string, Standing> {
  const best = Math.max(...scored.map(([, score]) => score));
  const standings = new Map<string, Standing>();
  for (const [name, score] of scored) {
    standings.set(name, { share: score / best, place: 1 / (1 + standings.size) });
  }
  return standings;
}
