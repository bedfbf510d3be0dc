import type { Change, HistoryPage, HistoryRequest, TopicStore } from "@caliban/memory";
import { createLineages, type Lineages } from "./lineages.ts";
import { shareNext } from "./share-next.ts";

export interface KnownLineagesInput {
  readonly store: Pick<TopicStore, "log">;
  /** Reads the newest changes without all others, if the store can. */
  readonly history?: ((request: HistoryRequest) => Promise<HistoryPage>) | undefined;
  readonly sha256Hex: (text: string) => string;
  /** Milliseconds since any point in time. */
  readonly monotonicMs: () => number;
  /** Called with a reading that began now, and when it has ended. */
  readonly onRead: () => () => void;
}

/** The lineages of a store as they were when its history was last read. */
export interface KnownLineages {
  /** Reads the history only if nothing is known yet. */
  readonly opened: () => Promise<Lineages>;
  /** Reads what is new from now on: a reading that has begun may have missed the latest changes. */
  readonly refresh: () => Promise<Lineages>;
  /** How old the last reading is. */
  readonly ageMs: () => number;
  /** Everything is read again when it is needed. */
  readonly forget: () => void;
  /** When the oldest known change was made. */
  readonly startedAt: () => string | undefined;
}

export function createKnownLineages(input: KnownLineagesInput): KnownLineages {
  const { store, history, sha256Hex, monotonicMs, onRead } = input;
  let known: Lineages | undefined;
  let newest: Change | undefined;
  let oldest: Change | undefined;
  let readAtMs = -Infinity;
  const readAll = async (): Promise<Lineages> => {
    const changes = await store.log();
    const all = createLineages(sha256Hex);
    for (const change of changes.toReversed()) all.add(change);
    [newest, oldest] = [changes[0], changes.at(-1)];
    return all;
  };
  const readNew = async (lineages: Lineages): Promise<Lineages> => {
    const changes =
      history === undefined || newest === undefined ? undefined : await since(history, newest);
    if (changes === undefined) return await readAll();
    for (const change of changes.toReversed()) lineages.add(change);
    newest = changes[0] ?? newest;
    return lineages;
  };
  const read = async (): Promise<Lineages> => {
    const startedMs = monotonicMs();
    const ended = onRead();
    known = known === undefined ? await readAll() : await readNew(known);
    ended();
    readAtMs = startedMs;
    return known;
  };
  const refresh = shareNext(read);
  return {
    opened: async () => known ?? (await refresh()),
    refresh,
    ageMs: () => monotonicMs() - readAtMs,
    forget: () => {
      known = undefined;
      readAtMs = -Infinity;
    },
    startedAt: () => oldest?.at,
  };
}

/** Of changes that others made since the last look. */
const PAGE_SIZE = 50;

/** The changes after a known one, newest first; `undefined` if it is no longer there. */
async function since(
  history: NonNullable<KnownLineagesInput["history"]>,
  known: Change,
): Promise<readonly Change[] | undefined> {
  const found: Change[] = [];
  let cursor: string | undefined;
  do {
    const page = await history({ cursor, limit: PAGE_SIZE });
    const at = page.changes.findIndex(({ id, at: time }) => id === known.id && time === known.at);
    found.push(...page.changes.slice(0, at === -1 ? undefined : at));
    if (at !== -1) return found;
    cursor = page.next;
  } while (cursor !== undefined);
  return undefined;
}
