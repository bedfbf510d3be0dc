import { isRecord } from "@caliban/common";
import { refusedBy } from "./messages.ts";
import { call, type Move, say, type Step } from "./turn.ts";
import { closeForms, coverage, queryOf, wideForms, type WordForms } from "./words.ts";

/** The scope of a topic as tools take it. */
export type TopicScope = { readonly scope?: "user" };

export const USER_SCOPE: TopicScope = { scope: "user" };

/** A topic that MemorySearch found, and the share of the words that it contains. */
export interface TopicMatch {
  readonly slug: string;
  /** Part of the input of tools that read or delete it; empty for a topic of the project. */
  readonly scope: TopicScope;
  readonly age: string;
  readonly score: number;
  readonly description: string;
  readonly snippet: string;
  readonly share: number;
}

/** A passage of a past session, rated in the same way. */
export interface PassageMatch {
  readonly session: string;
  /** `2026-11-09`, or `undated`. */
  readonly day: string;
  readonly age: string;
  readonly turns: readonly PassageTurn[];
  readonly share: number;
}

export interface PassageTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly isHit: boolean;
}

/** The results, best first, for the forms of the words that were searched. */
export interface SearchResults {
  readonly topics: readonly TopicMatch[];
  readonly passages: readonly PassageMatch[];
  readonly forms: readonly WordForms[];
}

export interface SearchInput {
  readonly words: string;
  readonly steps: readonly Step[];
  /** The share of words that makes a result good enough not to search again. */
  readonly minShare: number;
}

/** Searches for the words as they are, and once more with synonyms if nothing good was found: returns what to do next. */
export function searchMemory({ words, steps, minShare }: SearchInput): Move | SearchResults {
  const searches = steps.filter(({ name }) => name === "MemorySearch");
  const last = searches.at(-1);
  const close = closeForms(words);
  if (close.length === 0) return { topics: [], passages: [], forms: close };
  if (last === undefined) return search(close);
  if (last.isError) return say(refusedBy("I could not look that up.", last.text));
  const wide = wideForms(words);
  const forms = searches.length === 1 ? close : wide;
  const topics = readTopics(last.data, forms);
  const passages = readPassages(last.data, forms);
  const isGood = [...topics, ...passages].some(({ share }) => share >= minShare);
  if (!isGood && searches.length === 1 && queryOf(wide) !== queryOf(close)) {
    return search(wide);
  }
  return { topics, passages, forms };
}

function search(forms: readonly WordForms[]): Move {
  return call("MemorySearch", { query: queryOf(forms) });
}

/** Topics only: a section or a skill of learned memory is not a topic that can be read or deleted. */
function readTopics(data: Step["data"], forms: readonly WordForms[]): readonly TopicMatch[] {
  return recordsIn(data, "topics")
    .filter(({ kind }) => kind === "topic")
    .map((topic) => {
      const slug = lineOf(topic["name"]);
      const description = lineOf(topic["description"]);
      const snippet = markedLine(topic["snippet"]);
      return {
        slug,
        scope: lineOf(topic["address"]).startsWith("memory://user/") ? USER_SCOPE : {},
        age: lineOf(topic["age"]) || "undated",
        score: Number(topic["score"] ?? 0),
        description,
        snippet,
        share: coverage(forms, `${slug} ${description} ${snippet}`),
      };
    })
    .toSorted((one, other) => other.share - one.share || other.score - one.score);
}

/** A passage is rated as a whole, because a question and its answer share the words. */
function readPassages(data: Step["data"], forms: readonly WordForms[]): readonly PassageMatch[] {
  return recordsIn(data, "sessions")
    .map((passage) => {
      const turns = recordsIn(passage, "turns").map(({ role, text, isHit }): PassageTurn => ({
        role: role === "user" ? "user" : "assistant",
        text: markedLine(text),
        isHit: isHit === true,
      }));
      return {
        session: lineOf(passage["session"]),
        day: lineOf(passage["updated"]).split("T", 1)[0] || "undated",
        age: lineOf(passage["age"]),
        turns,
        share: coverage(forms, turns.map(({ text }) => text).join(" ")),
      };
    })
    .toSorted((one, other) => other.share - one.share);
}

type JsonRecord = Readonly<Record<string, unknown>>;

function recordsIn(data: JsonRecord, name: string): readonly JsonRecord[] {
  const values = data[name];
  return Array.isArray(values) ? values.filter(isRecord) : [];
}

function markedLine(value: unknown): string {
  return isRecord(value) ? lineOf(value["text"]) : "";
}

/** Texts of topics and sessions are untrusted: each is kept on one line. */
function lineOf(value: unknown): string {
  return typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
}
