import { formatAge } from "../topics/age.ts";
import type { FoundMemory } from "./results.ts";

/** When something was written or said, for programs and in words. */
export interface Timestamp {
  /** As ISO 8601 has it. */
  readonly updated: string | undefined;
  readonly age: string | undefined;
}

const NO_TIME: Timestamp = { updated: undefined, age: undefined };
/** No calendar of JavaScript goes further. */
const LAST_MS = 8.64e15;

/** A time in both forms; a time that no calendar has is none. */
function tellTime(updatedMs: number | undefined, nowMs: number): Timestamp {
  if (updatedMs === undefined || !(Math.abs(updatedMs) <= LAST_MS)) return NO_TIME;
  // By the calendar, since the day stands beside it: what was written before midnight is from yesterday.
  const age = formatAge(startOfDay(updatedMs), startOfDay(nowMs));
  return { updated: new Date(updatedMs).toISOString(), age };
}

const DAY_MS = 86_400_000;

function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS;
}

/** `2026-11-13, 3 days ago`, with the day in UTC. */
export function formatDayAndAge(updatedMs: number | undefined, nowMs: number): string {
  const { updated, age } = tellTime(updatedMs, nowMs);
  return updated === undefined ? "undated" : `${updated.slice(0, updated.indexOf("T"))}, ${age}`;
}

type WithTime<T> = Omit<T, "updatedMs"> & Timestamp;

/** What was found, as data that is plain and keeps its shape from release to release. */
export type FoundMemoryJson = Pick<FoundMemory, "searched" | "notes"> & {
  readonly topics: readonly WithTime<FoundMemory["topics"][number]>[];
  readonly sessions: readonly WithTime<FoundMemory["sessions"][number]>[];
};

export function toJson(found: FoundMemory, nowMs: number): FoundMemoryJson {
  const { topics, sessions, searched, notes } = found;
  return {
    topics: topics.map((topic) => withTime(topic, nowMs)),
    sessions: sessions.map((passage) => withTime(passage, nowMs)),
    searched,
    notes,
  };
}

function withTime<T extends { readonly updatedMs: number | undefined; readonly score: number }>(
  { updatedMs, ...rest }: T,
  nowMs: number,
): Omit<T, "updatedMs"> & Timestamp {
  return { ...rest, ...tellTime(updatedMs, nowMs), score: Math.round(rest.score * 1000) / 1000 };
}

/** `12 topics and 340 turns of 9 past sessions`. */
export function formatSearchedCounts({ topics, turns, sessions }: FoundMemory["searched"]): string {
  const ofTopics = counted(topics, "topic");
  if (sessions === 0) return ofTopics;
  const ofSessions = `${counted(turns, "turn")} of ${counted(sessions, "past session")}`;
  return topics === 0 ? ofSessions : `${ofTopics} and ${ofSessions}`;
}

function counted(count: number, unit: string): string {
  return `${count.toLocaleString("en-US")} ${unit}${count === 1 ? "" : "s"}`;
}
