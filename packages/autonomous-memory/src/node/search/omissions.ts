import type { PreviousRead, ReadEntry, SourceEntry } from "./document-source.ts";
import { parseCursor } from "./parse-cursor.ts";

/** What of a session is not searched. */
export interface SessionOmissions {
  readonly isOptedOut: boolean;
  readonly longLines: number;
}

/**
 * Counts what is not searched. It is an entry of its own among the sessions, without documents, so that the index
 * remembers the counts of files that are not read again.
 */
export interface Omissions {
  readonly entry: SourceEntry;
  /** Must be called for every session that is read. */
  readonly note: (key: string, omissions: SessionOmissions) => void;
  readonly read: (before: PreviousRead | undefined, context: OmissionsContext) => ReadEntry;
}

interface OmissionsContext {
  readonly hasSession: (key: string) => boolean;
  /** Other problems to report. */
  readonly problems: readonly string[];
}

export function createOmissions(): Omissions {
  const noted = new Map<string, SessionOmissions>();
  return {
    // An empty fingerprint makes the index read the entry every time.
    entry: { key: "left-out", fingerprint: "" },
    note: (key, omissions) => void noted.set(key, omissions),
    read: (before, { hasSession, problems }) => {
      const all = new Map([...parseCounts(before?.cursor), ...noted]);
      const current = [...all].filter(([key, omissions]) => hasSession(key) && hasAny(omissions));
      const messages = [...formatOmissions(current.map(([, omissions]) => omissions)), ...problems];
      return {
        change: "replace",
        documents: [],
        cursor: renderCounts(current),
        ...(messages.length > 0 && { problem: messages.join(" ") }),
      };
    },
  };
}

function hasAny({ isOptedOut, longLines }: SessionOmissions): boolean {
  return isOptedOut || longLines > 0;
}

function formatOmissions(all: readonly SessionOmissions[]): readonly string[] {
  const optedOut = all.filter(({ isOptedOut }) => isOptedOut).length;
  const lines = all.reduce((sum, { longLines }) => sum + longLines, 0);
  return [
    ...(optedOut === 0 ? [] : [formatOptedOut(optedOut)]),
    ...(lines === 0 ? [] : [formatLongLines(lines)]),
  ];
}

function formatOptedOut(count: number): string {
  return count === 1
    ? "1 session is not searched because of --no-learn or --no-memory."
    : `${count} sessions are not searched because of --no-learn or --no-memory.`;
}

function formatLongLines(count: number): string {
  return count === 1
    ? "1 line of a past session is not searched because it is longer than 1 MiB."
    : `${count} lines of past sessions are not searched because they are longer than 1 MiB.`;
}

/** A number for each session: its long lines, or -1 when it opted out. */
function renderCounts(all: readonly (readonly [string, SessionOmissions])[]): string {
  if (all.length === 0) return "";
  const counts = all.map(([key, { isOptedOut, longLines }]) => [key, isOptedOut ? -1 : longLines]);
  return JSON.stringify(Object.fromEntries(counts));
}

function parseCounts(cursor: string | undefined): readonly (readonly [string, SessionOmissions])[] {
  return Object.entries(parseCursor(cursor)).flatMap(([key, count]) =>
    typeof count === "number"
      ? [[key, { isOptedOut: count < 0, longLines: Math.max(0, count) }] as const]
      : [],
  );
}
