import { MemoryError } from "../../errors.ts";
import { changeKey } from "../../history/archived-change.ts";
import type { FileChange } from "../../history/change.ts";
import { parseIndexLines } from "../../index-file/index-lines.ts";
import { compareNames } from "../../store/map-backend.ts";
import { findSameTopic } from "../../store/plan-write.ts";
import type {
  BackendEntry,
  CommitRequest,
  CommitResult,
  ListedPage,
  ListRequest,
  TopicBackend,
  UnreadableEntry,
} from "../../store/topic-backend.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import { parseTopicSlug, slugFromFileName, type TopicSlug } from "../../topics/slug.ts";
import type { KnownIndex } from "./files/known-index.ts";
import {
  backupPath,
  fileVersion,
  indexPath,
  listFileNames,
  lstatUnlessMissing,
  readTopicFile,
  readTopicText,
  refusedFileError,
  topicPath,
  topicSlugs,
} from "./files/topic-files.ts";
import { openDirectory, type StoreContext } from "./transaction/store-context.ts";
import { commit, commitIndex, transact, type Transaction } from "./transaction/transaction.ts";

/**
 * Keeps texts in the files of a directory. Several processes and other programs may use it at once, and a crash at any
 * instruction leaves it intact.
 */
export function createFsBackend(context: StoreContext): TopicBackend {
  return {
    list: async (request) => await listFiles(context, request),
    read: async (names) => {
      const directory = openDirectory(context);
      if (directory === undefined) return [];
      const entries = await Promise.all(names.map((name) => readEntry(context, directory, name)));
      return entries.flatMap((entry) => entry ?? []);
    },
    commit: async (request) =>
      await transact(context, async (transaction) => await commitFiles(transaction, request)),
    history: async () => ({ changes: (await context.history.read()).toReversed() }),
  };
}

async function listFiles(
  context: StoreContext,
  { after, limit }: ListRequest,
): Promise<ListedPage> {
  const directory = openDirectory(context);
  if (directory === undefined) return { entries: [], hasMore: false };
  const files = listFileNames(directory);
  const index = files.includes(INDEX_FILE) ? [INDEX_FILE] : [];
  const names = [...topicSlugs(files), ...index]
    .filter((name) => after === undefined || compareNames(name, after) > 0)
    .toSorted(compareNames);
  const read = await Promise.all(
    names.slice(0, limit).map((name) => readEntry(context, directory, name)),
  );
  const entries = read.flatMap((entry) =>
    entry === undefined || "problem" in entry
      ? []
      : [{ ...entry, head: entry.text, bytes: Buffer.byteLength(entry.text) }],
  );
  return { entries, hasMore: names.length > limit };
}

type Entry = BackendEntry | UnreadableEntry;

async function readEntry(
  { index }: StoreContext,
  directory: string,
  name: string,
): Promise<Entry | undefined> {
  if (name === INDEX_FILE) return await readIndexEntry(index, directory);
  const slug = slugFromFileName(`${name}.md`);
  return slug && (await readTopicEntry(directory, slug));
}

/** The topic with exactly this name. */
export async function readTopicEntry(
  directory: string,
  slug: TopicSlug,
): Promise<Entry | undefined> {
  const file = await readTopicFile(directory, slug);
  if (file.kind === "missing") return undefined;
  if (file.kind === "refused") {
    const path = topicPath(directory, slug);
    const named = lstatUnlessMissing(path) === undefined ? backupPath(path) : path;
    return { name: slug, problem: refusedFileError(named, file.reason).message };
  }
  const { text, modifiedMs } = file;
  return { name: slug, text, modifiedMs, version: fileVersion(text) };
}

/** @throws MemoryError `REFUSED_FILE` */
async function readIndexEntry(index: KnownIndex, directory: string): Promise<Entry | undefined> {
  const { raw } = await index.read(directory);
  if (raw === null) return undefined;
  const modifiedMs = lstatUnlessMissing(indexPath(directory))?.mtimeMs ?? 0;
  return { name: INDEX_FILE, text: raw, modifiedMs, version: index.versionOf(raw) };
}

async function commitFiles(
  transaction: Transaction,
  request: CommitRequest,
): Promise<CommitResult> {
  const { changes, record, rewritten } = request;
  const files = await toFileChanges(transaction, request);
  const names = changedNames(transaction, request, files);
  if (names.length > 0) return { kind: "conflict", names };
  if (rewritten !== undefined) {
    const byKey = new Map(rewritten.map((change) => [changeKey(change), change]));
    await transaction.context.history.rewrite(async (all) =>
      all.map((change) => byKey.get(changeKey(change)) ?? change),
    );
  }
  const index = changes.find(({ name }) => name === INDEX_FILE);
  if (files.length > 0) {
    // After a crash, the writer may have seen a topic that is gone by now.
    const isCurrent = !transaction.isRepaired && isSameIndex(transaction, request);
    const isKnown = isCurrent || hasWholeIndex(request);
    const text = isKnown ? (index?.text ?? undefined) : undefined;
    await commit(transaction, { files, record, index: index && { text } });
  } else if (typeof index?.text === "string") {
    await commitIndex(transaction, index.text);
  }
  const { index: known } = transaction.context;
  const versions = changes.flatMap(({ name, text }) =>
    text === null
      ? []
      : [[name, name === INDEX_FILE ? known.versionOf(text) : fileVersion(text)] as const],
  );
  return { kind: "committed", versions: new Map(versions) };
}

/**
 * The changes of topics, with their texts on disk.
 * @throws MemoryError `INVALID_TOPIC` for a text that cannot be saved as UTF-8
 */
async function toFileChanges(
  { directory }: Transaction,
  { changes }: CommitRequest,
): Promise<readonly FileChange[]> {
  const files: FileChange[] = [];
  for (const { name, text } of changes) {
    if (name === INDEX_FILE) continue;
    if (text?.isWellFormed() === false)
      throw new MemoryError("INVALID_TOPIC", `${name} contains half of a surrogate pair`);
    const slug = parseTopicSlug(name);
    files.push({ slug, before: await readTopicText(directory, slug), after: text });
  }
  return files;
}

/** The names whose files are not as the writer has seen them. */
function changedNames(
  transaction: Transaction,
  request: CommitRequest,
  files: readonly FileChange[],
): readonly string[] {
  const { changes } = request;
  const expected = new Map(changes.map((change) => [change.name, change.expected]));
  const names = files
    .filter(({ slug, before }) => versionOf(before) !== expected.get(slug))
    .map(({ slug }) => slug);
  if (isSameIndex(transaction, request)) return names;
  return hasWholeIndex(request)
    ? [...names, INDEX_FILE]
    : [...names, ...takenNames(transaction, request)];
}

/** Whether a commit has its own index. Any other adds the lines of its topics, which is possible with any index. */
function hasWholeIndex({ record }: CommitRequest): boolean {
  return record === undefined || record.index !== undefined;
}

function versionOf(text: string | null): string | null {
  return text === null ? null : fileVersion(text);
}

function isSameIndex({ context, rawIndex }: Transaction, { changes }: CommitRequest): boolean {
  const index = changes.find(({ name }) => name === INDEX_FILE);
  if (index === undefined) return true;
  return (rawIndex === null ? null : context.index.versionOf(rawIndex)) === index.expected;
}

/** New topics whose name someone has taken in the meantime, in another case. */
function takenNames({ index }: Transaction, { changes }: CommitRequest): readonly string[] {
  const changed = new Set(changes.map(({ name }) => name));
  const others = parseIndexLines(index)
    .map(({ slug }) => slug)
    .filter((slug) => !changed.has(slug));
  return changes
    .filter(({ name, expected }) => name !== INDEX_FILE && expected === null)
    .map(({ name }) => name)
    .filter((name) => findSameTopic(parseTopicSlug(name), others) !== undefined);
}
