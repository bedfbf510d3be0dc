import { type Disk, hasCode, nodeDisk, thisMachine } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import type { FileChange } from "../../history/change.ts";
import { renderIndexLine, indexWarning, newIndex, rebuildIndex } from "../../index-file/edit-index.ts";
import { currentIndexLine } from "../../index-file/index-lines.ts";
import { MAX_TOPIC_BYTES } from "../../topics/limits.ts";
import { renameLinks } from "../../topics/links.ts";
import { checkWrite, findConflict, renderWrite, findSameTopic } from "../../store/plan-write.ts";
import { renameInHeader } from "../../topics/render-topic.ts";
import { type FindSecrets, assertNoSecrets } from "../../store/secrets.ts";
import { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "../../topics/slug.ts";
import type {
  RebuiltIndex,
  RemoveTopicInput,
  RemoveTopicResult,
  RenameTopicInput,
  RenameTopicResult,
  StoredTopic,
  WriteTopicInput,
  WriteTopicResult,
} from "../../store/topic-store.ts";
import { topicHash } from "../../store/stored-topic.ts";
import { reportUnwritable } from "../report-unwritable.ts";
import { sha256Hex } from "../sha256-hex.ts";
import { findTopic, readStoredTopic, editTopic } from "./write-topics.ts";
import { createHistoryFile } from "./history/history-file.ts";
import { historyPath, defaultHistoryDirectory } from "./history/history-tail.ts";
import { importTopics } from "./import-topics.ts";
import { repairFromFiles } from "./files/index-from-files.ts";
import { createStoreAccess, type StoreAccess } from "./transaction/transaction.ts";

import type { FsTopicStore, FsTopicStoreInput } from "./fs-topic-store.ts";
import { createTopicHistory } from "./topic-history.ts";
import { indexPath, listFileNames, readIndexFile, readTopicFile, topicSlugs } from "./files/topic-files.ts";
import { createTopicListing, type TopicListing } from "./files/listing.ts";

/** The store itself, with the parsers and the lock that it needs. */
export function openFsStore(input: FsTopicStoreInput): FsTopicStore {
  const { directory, disk = nodeDisk, now = Date.now, findSecrets = findSecretsLazily } = input;
  const history = createHistoryFile(
    historyPath(input.historyDirectory ?? defaultHistoryDirectory(directory)),
    disk,
  );
  const access = createStoreAccess({
    directory,
    disk,
    history,
    now,
    machine: thisMachine(),
    lockTiming: input.lockTiming ?? {},
    prepare: input.prepare ?? (async () => undefined),
  });
  const store: Store = { access, listing: createTopicListing(), now, findSecrets };
  return {
    list: async () => await store.listing.list(access.directory() ?? directory),
    read: async (name) => await read(store, parseTopicSlug(name)),
    write: async (request) => await write(store, request),
    rename: async (request) => await rename(store, request),
    remove: async (request) => await remove(store, request),
    index: async () => await currentIndex(store),
    rebuildIndex: async () => await rebuild(store),
    bootstrap: async () => await bootstrap({ directory, disk, access }),
    editIndex: async (change) =>
      await access.write(async ({ index, commitIndex }) => await commitIndex(await change(index))),
    importTopics: async (request) => await importTopics({ access, history, findSecrets }, request),
    recordExternalChanges: async () => await access.notice(),
    edit: async (request) => await editTopic({ access, findSecrets, now }, request),
    ...createTopicHistory({ access, history, findSecrets }),
  };
}

interface Store {
  readonly access: StoreAccess;
  readonly listing: TopicListing;
  readonly now: () => number;
  readonly findSecrets: FindSecrets;
}

/** The scanner is loaded with the first write. */
async function findSecretsLazily(text: string): ReturnType<FindSecrets> {
  const { findSecrets } = await import("@caliban/common/secrets");
  return await findSecrets(text);
}

async function read({ access }: Store, slug: TopicSlug): Promise<StoredTopic | undefined> {
  const directory = access.directory();
  if (directory === undefined) return undefined;
  const same =
    (await readStoredTopic(directory, slug)) ?? findSameTopic(slug, topicSlugs(listFileNames(directory)));
  return typeof same === "string" ? await readStoredTopic(directory, same) : same;
}

async function write(store: Store, request: WriteTopicInput): Promise<WriteTopicResult> {
  const checked = await checkWrite(request, store.findSecrets);
  return await store.access.write(async (locked): Promise<WriteTopicResult> => {
    const before = await findTopic(locked, checked.slug);
    const refused = findConflict(before, request);
    if (refused === "missing") return { kind: "missing", slug: checked.slug };
    if (refused !== undefined) return refused;
    // A name that is new must be one that may be given, also when whatever was there was to be replaced.
    const slug = before?.slug ?? parseNewTopicSlug(checked.slug);
    const named = { ...checked, slug };
    const text = renderWrite(named, request, { current: before, nowMs: store.now() });
    const files = [{ slug, before: before?.text ?? null, after: text }];
    const { change, index } = await locked.commit({
      action: "write",
      author: request.author,
      files,
    });
    return {
      kind: "written",
      slug,
      isNew: before === undefined,
      hash: topicHash(text, sha256Hex),
      // As it stands there: the title that somebody else gave it stays.
      indexLine: currentIndexLine(index, slug) ?? renderIndexLine(named),
      warning: indexWarning(index),
      change,
    };
  });
}

async function remove(store: Store, request: RemoveTopicInput): Promise<RemoveTopicResult> {
  const slug = parseTopicSlug(request.name);
  if (store.access.directory() === undefined) return { kind: "missing", slug };
  return await store.access.write(async (locked): Promise<RemoveTopicResult> => {
    const topic = await findTopic(locked, slug);
    if (topic === undefined) return { kind: "missing", slug };
    const { ifMatch, author } = request;
    const refused = findConflict(topic, ifMatch === undefined ? { replace: true } : { ifMatch });
    if (refused !== undefined && refused !== "missing") return refused;
    const files = [{ slug: topic.slug, before: topic.text, after: null }];
    const { change } = await locked.commit({ action: "remove", author, files });
    return { kind: "removed", topic, change };
  });
}

async function rename(
  store: Store,
  { from, to, author }: RenameTopicInput,
): Promise<RenameTopicResult> {
  const [oldSlug, newSlug] = [parseTopicSlug(from), parseNewTopicSlug(to)];
  await assertNoSecrets({ "new name": newSlug }, store.findSecrets);
  if (store.access.directory() === undefined) return { kind: "missing", slug: oldSlug };
  return await store.access.write(async (locked): Promise<RenameTopicResult> => {
    const topic = await findTopic(locked, oldSlug);
    if (topic === undefined) return { kind: "missing", slug: oldSlug };
    const taken = await findTopic(locked, newSlug);
    if (taken !== undefined && taken.slug !== topic.slug) {
      return { kind: "conflict", reason: "exists", current: taken };
    }
    if (newSlug === topic.slug) return { kind: "renamed", slug: newSlug, relinked: [] };
    const links = await relinkedFiles(locked.directory, topic.slug, newSlug);
    const renamed = relinked(renameInHeader(topic.text, newSlug), topic.slug, newSlug);
    const arrival = { slug: newSlug, before: null, after: renamed };
    const departure = { slug: topic.slug, before: topic.text, after: null };
    // Where a file system does not tell the two names apart, the old one must be gone first.
    const isSameFile = slugKey(newSlug) === slugKey(topic.slug);
    const moved = isSameFile ? [departure, arrival] : [arrival, departure];
    const files: readonly FileChange[] = [...moved, ...links];
    const { change } = await locked.commit({ action: "rename", author, files });
    return { kind: "renamed", slug: newSlug, relinked: links.map(({ slug }) => slug), change };
  });
}

/** The other topics that point to one, with their links changed. One that cannot be read keeps its dead link. */
async function relinkedFiles(
  directory: string,
  from: TopicSlug,
  to: TopicSlug,
): Promise<readonly FileChange[]> {
  const others = topicSlugs(listFileNames(directory)).filter((slug) => slug !== from);
  const files = await Promise.all(
    others.map(async (slug) => {
      const before = (await readIfUsable(directory, slug)) ?? "";
      return { slug, before, after: relinked(before, from, to) };
    }),
  );
  return files.filter(({ before, after }) => before !== after);
}

/** A text that its new links would make too long to be read keeps the old ones. */
function relinked(text: string, from: TopicSlug, to: TopicSlug): string {
  const changed = renameLinks(text, from, to);
  return Buffer.byteLength(changed) > MAX_TOPIC_BYTES ? text : changed;
}

async function readIfUsable(directory: string, slug: TopicSlug): Promise<string | undefined> {
  try {
    return (await readTopicFile(directory, slug))?.text;
  } catch (error) {
    if (error instanceof MemoryError && error.code === "REFUSED_FILE") return undefined;
    throw error;
  }
}

async function currentIndex({ access }: Store): Promise<string> {
  const directory = access.directory();
  if (directory === undefined) return newIndex();
  const { text } = await readIndexFile(directory);
  return (await repairFromFiles(text, directory)).text;
}

async function rebuild({ access, listing }: Store): Promise<RebuiltIndex> {
  if (access.directory() === undefined) {
    return { text: newIndex(), added: [], dropped: [], isChanged: false };
  }
  return await access.write(async (locked) => {
    const { topics } = await listing.list(locked.directory);
    const { raw: before, text } = await readIndexFile(locked.directory);
    const rebuilt = rebuildIndex(text, topics);
    await locked.commitIndex(rebuilt.text);
    return { ...rebuilt, isChanged: before !== rebuilt.text };
  });
}

interface BootstrapInput {
  readonly directory: string;
  readonly disk: Disk;
  readonly access: StoreAccess;
}

/** Exclusively: of two that begin at once, one makes the index, and neither overwrites it. */
async function bootstrap({ directory, disk, access }: BootstrapInput): Promise<void> {
  await reportUnwritable(directory, async () => {
    await disk.makeDirectory(directory);
    try {
      const descriptor = await disk.create(indexPath(access.directory() ?? directory));
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
