import { isRecord, parseJson } from "@caliban/common";
import { checkArguments } from "../check-arguments.ts";
import type { NoteEffect } from "./note-effect.ts";

/** How often a memory was of use. */
export interface MemoryUse {
  /** Notes that showed it. */
  readonly shown: number;
  /** How many of those the next steps followed, where code can tell. */
  readonly followed: number;
  readonly ignored: number;
  /** How often the agent read it, or found it in a search. */
  readonly read: number;
  readonly found: number;
  readonly lastMs: number;
}

/** The uses of all memories of a project, by address. */
export interface UseCounts {
  /** When counting began. */
  readonly sinceMs: number;
  readonly memories: Readonly<Record<string, MemoryUse>>;
}

/** One use of a memory. */
export interface UseEvent {
  readonly address: string;
  readonly kind: "shown" | "read" | "found" | Exclude<NoteEffect, "unknown">;
  readonly atMs: number;
}

const NO_USE: MemoryUse = { shown: 0, followed: 0, ignored: 0, read: 0, found: 0, lastMs: 0 };
const VERSION = 1;
/** Topics and statements of sessions; the ones that were not used for the longest time go first. */
const MAX_MEMORIES = 5_000;
const MAX_ADDRESS_LENGTH = 500;
/** The latest time that a date can have. */
const MAX_TIME_MS = 8_640_000_000_000_000;
/** Between processes that record uses of the same memory. */
const MAX_CLOCK_DIFFERENCE_MS = 86_400_000;

export function noUse(sinceMs: number): UseCounts {
  return { sinceMs, memories: {} };
}

/** Adds uses to the counts. */
export function addUses(counts: UseCounts, events: readonly UseEvent[]): UseCounts {
  const memories = new Map(Object.entries(counts.memories));
  for (const { address, kind, atMs } of events) {
    if (address.length > MAX_ADDRESS_LENGTH) continue;
    const use = memories.get(address) ?? NO_USE;
    // A clock that was wrong for a while must not look like the last use forever.
    const isWrong = use.lastMs - atMs > MAX_CLOCK_DIFFERENCE_MS;
    const lastMs = isWrong ? atMs : Math.max(use.lastMs, atMs);
    memories.set(address, { ...use, [kind]: use[kind] + 1, lastMs });
  }
  const kept = [...memories].toSorted(([, a], [, b]) => b.lastMs - a.lastMs).slice(0, MAX_MEMORIES);
  return { ...counts, memories: Object.fromEntries(kept) };
}

/** The text of a file with the counts. */
export function renderUseCounts({ sinceMs, memories }: UseCounts): string {
  return `${JSON.stringify({ version: VERSION, sinceMs, memories })}\n`;
}

/** Reads such a text; `undefined` if it is damaged. Unknown fields are ignored. */
export function parseUseCounts(text: string): UseCounts | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || !isRecord(value["memories"]) || value["version"] !== VERSION)
    return undefined;
  const sinceMs = value["sinceMs"];
  if (!isCount(sinceMs)) return undefined;
  const memories = Object.entries(value["memories"]).flatMap(([address, use]) => {
    const parsed = parseUse(use);
    return parsed === undefined ? [] : [[address, parsed] as const];
  });
  return { sinceMs, memories: Object.fromEntries(memories) };
}

function parseUse(value: unknown): MemoryUse | undefined {
  if (!isRecord(value)) return undefined;
  const count = (key: keyof MemoryUse): number => {
    const number = value[key];
    return isCount(number) ? number : 0;
  };
  const [shown, followed, ignored] = [count("shown"), count("followed"), count("ignored")];
  return {
    shown,
    followed,
    ignored,
    read: count("read"),
    found: count("found"),
    lastMs: Math.min(count("lastMs"), MAX_TIME_MS),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export interface UnusedTopicsInput {
  readonly counts: UseCounts;
  readonly topics: readonly { readonly slug: string; readonly updatedMs: number }[];
  /** When each stored session of the project began. */
  readonly sessionsMs: readonly number[];
}

/** So many sessions without any use make a topic a candidate for removal. */
const UNUSED_SESSIONS = 50;

/** Topics that no one has used since they were written, although there were many sessions since then. */
export function unusedTopics(
  input: UnusedTopicsInput,
): readonly { readonly slug: string; readonly sessions: number }[] {
  checkArguments("unusedTopics", input, { counts: "object", topics: "list", sessionsMs: "list" });
  const { counts, topics, sessionsMs } = input;
  return topics.flatMap(({ slug, updatedMs }) => {
    if (Object.hasOwn(counts.memories, `memory://topics/${slug}`)) return [];
    // Uses before counting began are not known.
    const sinceMs = Math.max(updatedMs, counts.sinceMs);
    const sessions = sessionsMs.filter((startMs) => startMs >= sinceMs).length;
    return sessions >= UNUSED_SESSIONS ? [{ slug, sessions }] : [];
  });
}
