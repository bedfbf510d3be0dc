import { hasCode } from "@caliban/common/node";
import { newIndex, rebuildIndex } from "../../index-file/edit-index.ts";
import { findSameTopic } from "../../store/plan-write.ts";
import type { RebuiltIndex, StoredTopic } from "../../store/topic-store.ts";
import { parseTopicSlug, type TopicSlug } from "../../topics/slug.ts";
import { reportUnwritable } from "../report-unwritable.ts";
import { repairFromFiles } from "./files/index-from-files.ts";
import { indexPath, listFileNames, readIndexFile, topicSlugs } from "./files/topic-files.ts";
import type { FsTopicStore, FsTopicStoreInput } from "./fs-topic-store.ts";
import { importTopics } from "./import-topics.ts";
import { eraseTopic, listChanges, undoChange } from "./topic-history.ts";
import {
  createStoreContext,
  openDirectory,
  type StoreContext,
} from "./transaction/store-context.ts";
import { commitIndex, recordExternalChanges, transact } from "./transaction/transaction.ts";
import {
  editTopic,
  readStoredTopic,
  removeTopic,
  renameTopic,
  writeTopic,
} from "./write-topics.ts";

/** The store behind `createFsTopicStore`, with the parsers and the lock it needs. */
export function openFsStore(input: FsTopicStoreInput): FsTopicStore {
  const context = createStoreContext(input);
  return {
    list: async () => await context.listing.list(openDirectory(context) ?? context.directory),
    read: async (name) => await readTopic(context, parseTopicSlug(name)),
    write: async (request) => await writeTopic(context, request),
    edit: async (request) => await editTopic(context, request),
    rename: async (request) => await renameTopic(context, request),
    remove: async (request) => await removeTopic(context, request),
    index: async () => await currentIndex(context),
    rebuildIndex: async () => await rebuild(context),
    bootstrap: async () => await bootstrap(context),
    editIndex: async (change) => await editIndex(context, change),
    importTopics: async (request) => await importTopics(context, request),
    recordExternalChanges: async () => await recordExternalChanges(context),
    log: async (name) => await listChanges(context, name),
    undo: async (request) => await undoChange(context, request),
    erase: async (name) => await eraseTopic(context, name),
  };
}

async function readTopic(context: StoreContext, slug: TopicSlug): Promise<StoredTopic | undefined> {
  const directory = openDirectory(context);
  if (directory === undefined) return undefined;
  const exact = await readStoredTopic(directory, slug);
  if (exact !== undefined) return exact;
  const same = findSameTopic(slug, topicSlugs(listFileNames(directory)));
  return same && (await readStoredTopic(directory, same));
}

async function currentIndex(context: StoreContext): Promise<string> {
  const directory = openDirectory(context);
  if (directory === undefined) return newIndex();
  const { text } = await readIndexFile(directory);
  return (await repairFromFiles(text, directory)).text;
}

async function rebuild(context: StoreContext): Promise<RebuiltIndex> {
  if (openDirectory(context) === undefined) {
    return { text: newIndex(), added: [], dropped: [], isChanged: false };
  }
  return await transact(context, async (transaction) => {
    const { topics } = await context.listing.list(transaction.directory);
    const { raw, text } = await readIndexFile(transaction.directory);
    const rebuilt = rebuildIndex(text, topics);
    await commitIndex(transaction, rebuilt.text);
    return { ...rebuilt, isChanged: raw !== rebuilt.text };
  });
}

async function editIndex(
  context: StoreContext,
  change: (text: string) => Promise<string>,
): Promise<void> {
  await transact(
    context,
    async (transaction) => await commitIndex(transaction, await change(transaction.index)),
  );
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
