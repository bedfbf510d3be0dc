import { createQueue } from "@caliban/common";
import { repairFromTopics } from "../../index-file/repair-from-topics.ts";
import { parseTopicSlug } from "../../topics/slug.ts";
import type { CreateTopicStoreInput } from "../create-topic-store.ts";
import { findSecretsByPattern } from "../secrets.ts";
import { sha256Hex as portableSha256Hex } from "../sha256.ts";
import type { TopicList, TopicStore } from "../topic-store.ts";
import { currentIndex, editIndex, rebuild } from "./change-index.ts";
import { editTopic, removeTopic, renameTopic, writeTopic } from "./change-topics.ts";
import type { Engine } from "./engine.ts";
import { importTopics } from "./import-topics.ts";
import { createTopicList, readIndex, readMany, readTopic } from "./read-topics.ts";
import { eraseTopic, listChanges, undoChange } from "./topic-history.ts";

/** What only the backends of this package use. */
export interface OpenStoreInput extends CreateTopicStoreInput {
  /** Lists the topics faster than through the pages of the backend. */
  readonly listTopics?: (() => Promise<TopicList>) | undefined;
  /** Repairs an index without listing all topics. */
  readonly repairIndex?: ((text: string) => Promise<string>) | undefined;
  /** Called before a change is planned. */
  readonly prepare?: (() => Promise<void>) | undefined;
}

/** The store behind `createTopicStore`, with the parsers it needs. */
export function openStore(input: OpenStoreInput): TopicStore {
  const { backend, scope = "project" } = input;
  const { listTopics = createTopicList(backend) } = input;
  const engine: Engine = {
    backend,
    findSecrets: input.findSecrets ?? findSecretsByPattern,
    sha256Hex: input.sha256Hex ?? portableSha256Hex,
    // oxlint-disable-next-line no-restricted-properties -- the default of a clock that callers may pass
    now: input.now ?? Date.now,
    listTopics,
    repairIndex:
      input.repairIndex ??
      (async (text) => repairFromTopics(text, (await listTopics()).topics).text),
    prepare: input.prepare ?? (async () => undefined),
    isIndexRepaired: false,
    enqueue: createQueue(),
  };
  return {
    scope,
    list: listTopics,
    read: async (name) => await readTopic(engine, parseTopicSlug(name)),
    readMany: async (names) => await readMany(engine, names),
    write: async (request) => await writeTopic(engine, request),
    edit: async (request) => await editTopic(engine, request),
    rename: async (request) => await renameTopic(engine, request),
    remove: async (request) => await removeTopic(engine, request),
    index: async () => await currentIndex(engine),
    storedIndex: async () => (await readIndex(engine)).raw ?? undefined,
    rebuildIndex: async () => await rebuild(engine),
    editIndex: async (change) => await editIndex(engine, change),
    importTopics: async (request) => await importTopics(engine, request),
    log: async (name) => await listChanges(engine, name),
    undo: async (request) => await undoChange(engine, request),
    erase: async (name, change) => await eraseTopic(engine, name, change),
  };
}
