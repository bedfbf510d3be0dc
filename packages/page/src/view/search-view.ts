import type { Note } from "@caliban/memory";
import type { FoundMemory, FoundScorePart, MarkedText } from "@caliban/memory/search";

/** A hit with the reason for its rank. */
export interface SearchHit {
  readonly kind: "topic" | "session";
  readonly title: string;
  /** The topic of the project or the user; `undefined` for what has no view of its own. */
  readonly topic: { readonly scope: "project" | "user"; readonly slug: string } | undefined;
  readonly score: number;
  readonly updatedMs: number | undefined;
  readonly snippets: readonly MarkedText[];
  readonly why: readonly { readonly label: string; readonly score: number }[];
}

export interface SearchView {
  readonly hits: readonly SearchHit[];
  readonly searched: FoundMemory["searched"];
  readonly notes: readonly string[];
}

export function searchView({ topics, sessions, searched, notes }: FoundMemory): SearchView {
  return {
    hits: [
      ...topics.map(
        ({ name, author, address, score, updatedMs, snippet, why = [] }): SearchHit => ({
          kind: "topic",
          title: author === undefined ? name : `${name}, shared by ${author}`,
          topic: topicOf(address),
          score,
          updatedMs,
          snippets: [snippet],
          why: why.map(whyPart),
        }),
      ),
      ...sessions.map(({ title, score, updatedMs, turns, why = [] }): SearchHit => ({
        kind: "session",
        title,
        topic: undefined,
        score,
        updatedMs,
        snippets: turns.map(({ text }) => text),
        why: why.map(whyPart),
      })),
    ],
    searched,
    notes,
  };
}

/** A note with the reason for it. */
export interface NoteView {
  readonly text: string;
  readonly address: string;
  /** The topic of the project or the user; `undefined` for what has no view of its own. */
  readonly topic: SearchHit["topic"];
  readonly was: string | undefined;
  readonly match: Note["why"]["match"];
  readonly score: number;
  readonly terms: readonly string[];
}

export function noteView({ text, source, was, why }: Note): NoteView {
  const { address } = source;
  return { text, address, topic: topicOf(address), was: was?.text, ...why };
}

function topicOf(address: string): SearchHit["topic"] {
  const [, user, slug] = /^memory:\/\/(user\/)?topics\/([^/#]+)$/.exec(address) ?? [];
  if (slug === undefined) return undefined;
  return { scope: user === undefined ? "project" : "user", slug };
}

function whyPart({ part, term, fields, score }: FoundScorePart): SearchHit["why"][number] {
  const where = fields === undefined || fields.length === 0 ? "" : ` in ${fields.join(", ")}`;
  return { label: term === undefined ? part : `“${term}”${where}`, score };
}
