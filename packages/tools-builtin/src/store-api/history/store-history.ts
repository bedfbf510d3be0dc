import type { StoredTopic } from "@caliban/memory";
import { createKnownLineages, type KnownLineagesInput } from "./known-lineages.ts";
import { createLineages, type Lineages, type VersionRecord } from "./lineages.ts";
import { nameInMemoryId } from "./memory-id.ts";
import { shareNext } from "./share-next.ts";

/** The identity of a memory, which only the history knows. */
interface MemoryIdentity {
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
  readonly find: (memoryId: string, read: ReadTopic) => Promise<StoredTopic | undefined>;
  /** Tells about a change that was just made, so that nothing has to be read for it. */
  readonly wrote: (topic: StoredTopic, write: NotedWrite) => void;
  /** A change that only the history can tell about was made. */
  readonly outdate: () => void;
  /** All versions, newest first. */
  readonly versions: () => Promise<readonly VersionRecord[]>;
  /** When the oldest known change was made. */
  readonly startedAt: () => Promise<string | undefined>;
}

type ReadTopic = (name: string) => Promise<StoredTopic | undefined>;

/** A change of one topic. */
interface NotedWrite {
  readonly change: string | undefined;
  readonly isNew: boolean;
}

export interface StoreHistoryInput extends Omit<KnownLineagesInput, "onRead"> {
  /** Records what other programs changed. */
  readonly recordExternalChanges?: (() => Promise<void>) | undefined;
}

/** How long a missing memory is believed to be missing, where looking again means reading the whole history. */
const FRESH_MS = 1_000;

export function createStoreHistory(input: StoreHistoryInput): StoreHistory {
  const { store, sha256Hex, recordExternalChanges } = input;
  const own = createOwnWrites(sha256Hex);
  const lineages = createKnownLineages({ ...input, onRead: own.startReading });
  const identify = async (topic: StoredTopic): Promise<MemoryIdentity> => {
    const sha256 = sha256Hex(topic.text);
    let all = await lineages.opened();
    let change = own.changeOf(topic.slug, sha256) ?? changeOf(all, topic.slug, sha256);
    if (change === undefined && !own.isUnknown(topic.slug, sha256)) {
      await recordExternalChanges?.();
      all = await lineages.refresh();
      change = own.changeOf(topic.slug, sha256) ?? changeOf(all, topic.slug, sha256);
      if (change === undefined) own.noteUnknown(topic.slug, sha256);
    }
    return toIdentity(topic, { all, change, sha256, createdAt: own.createdAt(topic.slug) });
  };
  const versions = shareNext(async () => {
    await recordExternalChanges?.();
    const changes = await store.log();
    // Only current texts are looked up by their hash.
    const all = createLineages(() => "");
    return changes
      .toReversed()
      .flatMap((change) => all.add(change))
      .toReversed();
  });
  return {
    identify,
    find: async (memoryId, readTopic) => {
      const plain = nameInMemoryId(memoryId);
      if (plain === undefined) return undefined;
      for (const isLast of [false, true]) {
        const all = isLast ? await lineages.refresh() : await lineages.opened();
        const topic = await readTopic(all.nameOf(memoryId) ?? plain);
        if (topic !== undefined && (await identify(topic)).id === memoryId) return topic;
        if (input.history === undefined && lineages.ageMs() < FRESH_MS) break;
      }
      return undefined;
    },
    wrote: own.note,
    outdate: () => {
      lineages.forget();
      own.forget();
    },
    versions,
    startedAt: async () => {
      await lineages.opened();
      return lineages.startedAt();
    },
  };
}

function changeOf(all: Lineages, slug: string, sha256: string): string | undefined {
  const known = all.get(slug);
  return known?.sha256 === sha256 ? known.change : undefined;
}

function toIdentity(
  { slug, updatedMs }: StoredTopic,
  {
    all,
    change,
    sha256,
    createdAt,
  }: {
    readonly all: Lineages;
    readonly change: string | undefined;
    readonly sha256: string;
    readonly createdAt: string | undefined;
  },
): MemoryIdentity {
  const known = all.get(slug);
  return {
    id: known?.memoryId ?? all.idFor(slug, change),
    createdAt: createdAt ?? known?.createdAt ?? new Date(updatedMs).toISOString(),
    change: change ?? `unrecorded-${sha256.slice(0, 12)}`,
  };
}

/** What requests learned since the history was read. */
interface OwnWrites {
  readonly note: StoreHistory["wrote"];
  readonly changeOf: (slug: string, sha256: string) => string | undefined;
  readonly createdAt: (slug: string) => string | undefined;
  /** Texts that the history does not have, such as those that were erased from it. */
  readonly noteUnknown: (slug: string, sha256: string) => void;
  readonly isUnknown: (slug: string, sha256: string) => boolean;
  /** What was noted before a reading is in the history that it reads. */
  readonly startReading: () => () => void;
  readonly forget: () => void;
}

function createOwnWrites(sha256Hex: (text: string) => string): OwnWrites {
  const changes = new Map<string, { readonly sha256: string; readonly change: string }>();
  const created = new Map<string, string>();
  const unknown = new Map<string, string>();
  return {
    note: ({ slug, text, updatedMs }, { change, isNew }) => {
      if (change !== undefined) changes.set(slug, { sha256: sha256Hex(text), change });
      if (isNew) created.set(slug, new Date(updatedMs).toISOString());
    },
    changeOf: (slug, sha256) => {
      const write = changes.get(slug);
      return write?.sha256 === sha256 ? write.change : undefined;
    },
    createdAt: (slug) => created.get(slug),
    noteUnknown: (slug, sha256) => void unknown.set(slug, sha256),
    isUnknown: (slug, sha256) => unknown.get(slug) === sha256,
    startReading: () => {
      const noted = new Map(changes);
      return () => {
        for (const [slug, write] of noted) if (changes.get(slug) === write) changes.delete(slug);
      };
    },
    forget: () => {
      created.clear();
      unknown.clear();
    },
  };
}
