import { hasCode } from "@caliban/common/node";
import { newIndex } from "../../index-file/edit-index.ts";
import { openStore } from "../../store/engine/open-store.ts";
import { toTopic } from "../../store/engine/read-topics.ts";
import { findSameTopic } from "../../store/plan-write.ts";
import type { StoredTopic } from "../../store/topic-store.ts";
import { parseTopicSlug, type TopicSlug } from "../../topics/slug.ts";
import { reportUnwritable } from "../report-unwritable.ts";
import { sha256Hex } from "../sha256-hex.ts";
import { repairFromFiles } from "./files/index-from-files.ts";
import { indexPath, listFileNames, topicSlugs } from "./files/topic-files.ts";
import { createFsBackend, readTopicEntry } from "./fs-backend.ts";
import type { FsTopicStore, FsTopicStoreInput } from "./fs-topic-store.ts";
import {
  createStoreContext,
  openDirectory,
  type StoreContext,
} from "./transaction/store-context.ts";
import { recordExternalChanges } from "./transaction/transaction.ts";

/** The store behind `createFsTopicStore`, with the parsers and the lock it needs. */
export function openFsStore(input: FsTopicStoreInput): FsTopicStore {
  const context = createStoreContext(input);
  const store = openStore({
    backend: createFsBackend(context),
    scope: input.scope,
    findSecrets: context.findSecrets,
    now: context.now,
    sha256Hex,
    // Reads a file only if it has changed, and only its header.
    listTopics: async () => await context.listing.list(openDirectory(context) ?? context.directory),
    // Reads only topics that have no line, or were edited since the index was written.
    repairIndex: async (text) => {
      const directory = openDirectory(context);
      return directory === undefined ? text : (await repairFromFiles(text, directory)).text;
    },
    // Nothing of another project may be read, not even to report a conflict.
    prepare: async () => {
      if (!context.isClean && openDirectory(context) !== undefined) await context.prepare();
    },
  });
  return {
    ...store,
    // A user may have added the topic a moment ago, in any case.
    read: async (name) => await readTopic(context, parseTopicSlug(name)),
    bootstrap: async () => await bootstrap(context),
    recordExternalChanges: async () => await recordExternalChanges(context),
  };
}

async function readTopic(context: StoreContext, slug: TopicSlug): Promise<StoredTopic | undefined> {
  const directory = openDirectory(context);
  if (directory === undefined) return undefined;
  const exact = toTopic(slug, await readTopicEntry(directory, slug));
  if (exact !== undefined) return exact;
  const same = findSameFile(context, slug);
  return same && toTopic(same, await readTopicEntry(directory, same));
}

function findSameFile(context: StoreContext, slug: TopicSlug): TopicSlug | undefined {
  const directory = openDirectory(context);
  return directory === undefined
    ? undefined
    : findSameTopic(slug, topicSlugs(listFileNames(directory)));
}

/** Creates the index exclusively: if two processes start at once, one creates it and neither overwrites it. */
async function bootstrap(context: StoreContext): Promise<void> {
  const { directory, disk } = context;
  await reportUnwritable(directory, async () => {
    await disk.makeDirectory(directory);
    try {
      const descriptor = await disk.create(indexPath(openDirectory(context) ?? directory));
      try {
        await disk.write(descriptor, newIndex());
        await disk.sync(descriptor);
      } finally {
        await disk.close(descriptor);
      }
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
  });
}
