import type { PreviousRead, ReadEntry, SourceEntry } from "@caliban/memory/search";
import { parseCursor } from "./parse-cursor.ts";

/** Why something of a session is not searched. */
export interface SessionOmissions {
  readonly isOptedOut: boolean;
  readonly longLines: number;
}

/**
 * Counts what is not searched. It stands among the sessions as one that has nothing to find, so that the index keeps the
 * counts of files that nobody reads again.
 */
export interface Omissions {
  readonly entry: SourceEntry;
  /** To be told with every session that is read. */
  readonly note: (key: string, what: SessionOmissions) => void;
  readonly read: (before: PreviousRead | undefined, around: LeftOutAround) => ReadEntry;
}

interface LeftOutAround {
  /** Whether there is a session of that key. */
  readonly isThere: (key: string) => boolean;
  /** Other sentences to say. */
  readonly problems: readonly string[];
}

export function createOmissions(): Omissions {
  const noted = new Map<string, SessionOmissions>();
  return {
    // Without a sign, so that it is asked each time.
    entry: { key: "left-out", fingerprint: "" },
    note: (key, what) => void noted.set(key, what),
    read: (before, { isThere, problems }) => {
      const all = new Map([...countsIn(before?.cursor), ...noted]);
      const there = [...all].filter(([key, what]) => isThere(key) && isSomething(what));
      const sentences = [...sentencesOn(there.map(([, what]) => what)), ...problems];
      return {
        change: "replace",
        documents: [],
        cursor: renderMemo(there),
        ...(sentences.length > 0 && { problem: sentences.join(" ") }),
      };
    },
  };
}

function isSomething({ isOptedOut, longLines }: SessionOmissions): boolean {
  return isOptedOut || longLines > 0;
}

function sentencesOn(all: readonly SessionOmissions[]): readonly string[] {
  const optedOut = all.filter(({ isOptedOut }) => isOptedOut).length;
  const lines = all.reduce((sum, { longLines }) => sum + longLines, 0);
  return [
    ...(optedOut === 0 ? [] : [optedOutSentence(optedOut)]),
    ...(lines === 0 ? [] : [longLinesSentence(lines)]),
  ];
}

function optedOutSentence(count: number): string {
  return count === 1
    ? "1 session is not searched: --no-learn or --no-memory kept it out."
    : `${count} sessions are not searched: --no-learn or --no-memory kept them out.`;
}

function longLinesSentence(count: number): string {
  return count === 1
    ? "1 line of a past session was left out: it is longer than 1 MiB."
    : `${count} lines of past sessions were left out: they are longer than 1 MiB.`;
}

function renderMemo(all: readonly (readonly [string, SessionOmissions])[]): string {
  return all.length === 0
    ? ""
    : JSON.stringify(
        Object.fromEntries(
          all.map(([key, { isOptedOut, longLines }]) => [key, isOptedOut ? -1 : longLines]),
        ),
      );
}

function countsIn(memo: string | undefined): readonly (readonly [string, SessionOmissions])[] {
  return Object.entries(parseCursor(memo)).flatMap(([key, count]) =>
    typeof count === "number"
      ? [[key, { isOptedOut: count < 0, longLines: Math.max(0, count) }] as const]
      : [],
  );
}
