import { utf8Bytes } from "@caliban/common";
import { MemoryError } from "@caliban/memory";

/** How much an agent may change in one session. Far more than any task needs; a loop reaches it. */
export interface WriteLimit {
  readonly maxChangesPerMinute: number;
  readonly maxChanges: number;
  /** For the texts of all changes together. */
  readonly maxBytes: number;
}

export const WRITE_LIMIT: WriteLimit = {
  maxChangesPerMinute: 120,
  maxChanges: 1_000,
  maxBytes: 16_000_000,
};

/** A change that is about to be made. */
export interface CountedChange {
  readonly session: string | undefined;
  /** The text that is written; none for a deletion or a rename. */
  readonly text?: string | undefined;
}

/** @throws MemoryError `WRITE_LIMIT` */
export type CountChange = (change: CountedChange) => void;

interface Usage {
  changes: number;
  bytes: number;
  /** When the last changes were made, oldest first. */
  recentMs: readonly number[];
}

const MINUTE_MS = 60_000;
/** More sessions than a server has at once. */
const MAX_SESSIONS = 1_000;

/** Counts the changes of each session separately. */
export function createWriteLimit({
  now,
  limit = WRITE_LIMIT,
}: {
  readonly now: () => number;
  readonly limit?: WriteLimit;
}): CountChange {
  const sessions = new Map<string, Usage>();
  return ({ session = "", text = "" }) => {
    const usage = sessions.get(session) ?? { changes: 0, bytes: 0, recentMs: [] };
    const [nowMs, bytes] = [now(), utf8Bytes(text)];
    // A clock that was set back must not lock a session out.
    usage.recentMs = usage.recentMs.filter((ms) => ms <= nowMs && nowMs - ms < MINUTE_MS);
    const problem = findProblem(usage, bytes, limit);
    if (problem !== undefined) throw new MemoryError("WRITE_LIMIT", problem);
    usage.changes += 1;
    usage.bytes += bytes;
    usage.recentMs = [...usage.recentMs, nowMs];
    // The session that changed something last is the last one to be forgotten.
    sessions.delete(session);
    sessions.set(session, usage);
    const [oldest] = sessions.keys();
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  };
}

function findProblem(
  usage: Usage,
  bytes: number,
  { maxChangesPerMinute, maxChanges, maxBytes }: WriteLimit,
): string | undefined {
  if (usage.recentMs.length >= maxChangesPerMinute) {
    return `this session changed topics ${maxChangesPerMinute} times within a minute, which looks like a loop. Stop, and check whether these changes are needed; if they are, continue in a minute`;
  }
  if (usage.changes >= maxChanges) {
    return `this session has changed topics ${maxChanges} times, which is the limit for a session. Ask the user to start a new session`;
  }
  if (usage.bytes + bytes > maxBytes) {
    return `this session would have written more than ${maxBytes / 1_000_000} MB of topics, which is the limit for a session. Write shorter topics, or ask the user to start a new session`;
  }
  return undefined;
}
