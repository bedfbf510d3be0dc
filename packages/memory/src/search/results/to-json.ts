import { checkArguments } from "../../check-arguments.ts";
import { formatAge } from "../../topics/age.ts";
import type { FoundMemory } from "./results.ts";

/** A time for programs and in words. */
interface Timestamp {
  /** ISO 8601. */
  readonly updated: string | undefined;
  readonly age: string | undefined;
}

const NO_TIME: Timestamp = { updated: undefined, age: undefined };
/** The limit of a JavaScript date. */
const MAX_TIME_MS = 8.64e15;

/** Empty for a time that a date cannot represent. */
function toTimestamp(updatedMs: number | undefined, nowMs: number): Timestamp {
  if (updatedMs === undefined || !(Math.abs(updatedMs) <= MAX_TIME_MS)) return NO_TIME;
  // By calendar day, because the day is shown next to it: what was written before midnight is from yesterday.
  const age = formatAge(startOfDay(updatedMs), startOfDay(nowMs));
  return { updated: new Date(updatedMs).toISOString(), age };
}

const DAY_MS = 86_400_000;

function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS;
}

/** For example `2026-11-13, 3 days ago`, with the day in UTC. */
export function formatDayAndAge(updatedMs: number | undefined, nowMs: number): string {
  checkArguments("formatDayAndAge", { nowMs }, { nowMs: "number" });
  const { updated, age } = toTimestamp(updatedMs, nowMs);
  return updated === undefined ? "undated" : `${updated.slice(0, updated.indexOf("T"))}, ${age}`;
}

type WithTimestamp<T> = Omit<T, "updatedMs"> & Timestamp;

/** Search results as plain data with a stable shape. */
export type FoundMemoryJson = Pick<FoundMemory, "searched" | "notes"> & {
  readonly topics: readonly WithTimestamp<FoundMemory["topics"][number]>[];
  readonly sessions: readonly WithTimestamp<FoundMemory["sessions"][number]>[];
};

export function toJson(found: FoundMemory, nowMs: number): FoundMemoryJson {
  const required = { topics: "list", sessions: "list", nowMs: "number" } as const;
  checkArguments("toJson", { ...found, nowMs }, required);
  const { topics, sessions, searched, notes } = found;
  return {
    topics: topics.map((topic) => withTimestamp(topic, nowMs)),
    sessions: sessions.map((passage) => withTimestamp(passage, nowMs)),
    searched,
    notes,
  };
}

function withTimestamp<
  T extends { readonly updatedMs: number | undefined; readonly score: number },
>({ updatedMs, ...rest }: T, nowMs: number): Omit<T, "updatedMs"> & Timestamp {
  return { ...rest, ...toTimestamp(updatedMs, nowMs), score: Math.round(rest.score * 1000) / 1000 };
}

/** For example `12 topics and 340 turns of 9 past sessions`. */
export function formatSearchedCounts(searched: FoundMemory["searched"]): string {
  const counts = { topics: "number", turns: "number", sessions: "number" } as const;
  checkArguments("formatSearchedCounts", searched, counts);
  const { topics, turns, sessions } = searched;
  const topicCount = formatCount(topics, "topic");
  if (sessions === 0) return topicCount;
  const sessionCount = `${formatCount(turns, "turn")} of ${formatCount(sessions, "past session")}`;
  return topics === 0 ? sessionCount : `${topicCount} and ${sessionCount}`;
}

function formatCount(count: number, unit: string): string {
  return `${count.toLocaleString("en-US")} ${unit}${count === 1 ? "" : "s"}`;
}
