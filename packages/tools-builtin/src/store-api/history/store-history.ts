import type { Change, HistoryPage, HistoryRequest, StoredTopic, TopicStore } from "@caliban/memory";
import { createLineages, type Lineages, type VersionRecord } from "./lineages.ts";
import { nameInMemoryId } from "./memory-id.ts";

/** The identity of a memory, which only the history knows. */
export interface MemoryIdentity {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The change that wrote the current text. */
  readonly change: string;
}

/** The history of one store, kept as far as requests need it. */
export interface StoreHistory {
  readonly identify: (topic: StoredTopic) => Promise<MemoryIdentity>;
  /** The topic with this id, under its present name. */
  readonly find: (
    memoryId: string,
    read: (name: string) => Promise<StoredTopic | undefined>,
  ) => Promise<StoredTopic | undefined>;
  /** Tells about a change that was just made, so that nothing has to be read for it. */
  readonly wrote: (topic: StoredTopic, write: NotedWrite) => void;
  /** Something that only the history can tell has changed. */
  readonly outdate: () => void;
  /** All versions, newest first. */
  readonly versions: () => Promise<readonly VersionRecord[]>;
  /** When the oldest known change was made. */
  readonly startedAt: () => Promise<string | undefined>;
}

/** A change of one topic. */
export interface NotedWrite {
  readonly change: string | undefined;
  readonly isNew: boolean;
}

export interface StoreHistoryInput {
  readonly store: Pick<TopicStore, "log">;
  /** Reads the newest changes without all others, if the store can. */
  readonly history?: ((request: HistoryRequest) => Promise<HistoryPage>) | undefined;
  /** Records what other programs changed. */
  readonly recordExternalChanges?: (() => Promise<void>) | undefined;
  readonly sha256Hex: (text: string) => string;
  /** Milliseconds since any point in time. */
  readonly monotonicMs: () => number;
}

/** How long a missing memory is believed to be missing. */
const FRESH_MS = 1_000;
/** Of changes that others made since the last look. */
const PAGE_SIZE = 50;

/** What requests learned since the history was read. */
interface OwnWrite {
  readonly sha256: string;
  readonly change: string;
}

export function createStoreHistory(input: StoreHistoryInput): StoreHistory {
  const { store, history, sha256Hex, monotonicMs } = input;
  let lineages: Lineages | undefined;
  let newest: Change | undefined;
  let oldest: Change | undefined;
  let readAtMs = 0;
  let reading: Promise<Lineages> | undefined;
  const own = new Map<string, OwnWrite>();
  const createdAt = new Map<string, string>();
  // Texts that the history does not have, such as those that were erased from it.
  const unknown = new Map<string, string>();

  const readAll = async (): Promise<Lineages> => {
    const changes = await store.log();
    const all = createLineages(sha256Hex);
    for (const change of changes.toReversed()) all.add(change);
    [newest, oldest] = [changes[0], changes.at(-1)];
    return all;
  };
  const readNew = async (known: Lineages): Promise<Lineages> => {
    const changes =
      history === undefined || newest === undefined ? undefined : await since(history, newest);
    if (changes === undefined) return await readAll();
    for (const change of changes.toReversed()) known.add(change);
    newest = changes[0] ?? newest;
    return known;
  };
  const read = async (): Promise<Lineages> => {
    const startedMs = monotonicMs();
    const noted = new Map(own);
    lineages = lineages === undefined ? await readAll() : await readNew(lineages);
    // What was written while the history was read may be missing in it.
    for (const [slug, write] of noted) if (own.get(slug) === write) own.delete(slug);
    readAtMs = startedMs;
    return lineages;
  };
  /** Reads from now on: a reading that has begun may have missed the latest changes. */
  const refresh = async (): Promise<Lineages> => {
    await reading?.catch(() => undefined);
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
  const opened = async (): Promise<Lineages> => lineages ?? (await (reading ?? refresh()));

  const changeOf = (all: Lineages, slug: string, sha256: string): string | undefined => {
    const written = own.get(slug);
    if (written?.sha256 === sha256) return written.change;
    const known = all.get(slug);
    return known?.sha256 === sha256 ? known.change : undefined;
  };
  const identify = async (topic: StoredTopic): Promise<MemoryIdentity> => {
    const { slug, text } = topic;
    const sha256 = sha256Hex(text);
    let all = await opened();
    let change = changeOf(all, slug, sha256);
    if (change === undefined && unknown.get(slug) !== sha256) {
      await input.recordExternalChanges?.();
      all = await refresh();
      change = changeOf(all, slug, sha256);
      if (change === undefined) unknown.set(slug, sha256);
    }
    const known = all.get(slug);
    const started = createdAt.get(slug) ?? known?.createdAt;
    return {
      id: known?.memoryId ?? all.idFor(slug, change),
      createdAt: started ?? new Date(topic.updatedMs).toISOString(),
      change: change ?? `unrecorded-${sha256.slice(0, 12)}`,
    };
  };
  return {
    identify,
    find: async (memoryId, readTopic) => {
      const plain = nameInMemoryId(memoryId);
      if (plain === undefined) return undefined;
      for (const isLast of [false, true]) {
        const all = isLast ? await refresh() : await opened();
        const topic = await readTopic(all.nameOf(memoryId) ?? plain);
        if (topic !== undefined && (await identify(topic)).id === memoryId) return topic;
        if (monotonicMs() - readAtMs < FRESH_MS) break;
      }
      return undefined;
    },
    wrote: ({ slug, text, updatedMs }, { change, isNew }) => {
      if (change !== undefined) own.set(slug, { sha256: sha256Hex(text), change });
      if (isNew) createdAt.set(slug, new Date(updatedMs).toISOString());
    },
    outdate: () => {
      readAtMs = -Infinity;
      lineages = undefined;
      createdAt.clear();
    },
    versions: async () => {
      await input.recordExternalChanges?.();
      const changes = await store.log();
      // Only the current texts need a hash, and these are not looked at.
      const all = createLineages(() => "");
      return changes
        .toReversed()
        .flatMap((change) => all.add(change))
        .toReversed();
    },
    startedAt: async () => {
      await opened();
      return oldest?.at;
    },
  };
}

/** The changes after a known one, newest first; `undefined` if it is no longer there. */
async function since(
  history: NonNullable<StoreHistoryInput["history"]>,
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
