import type { FileChange } from "../../history/change.ts";
import { currentIndexLine, parseIndexLines } from "../../index-file/index-lines.ts";
import { indexWarning } from "../../index-file/index-size.ts";
import { renderIndexLine } from "../../index-file/render-line.ts";
import { checkEdit, checkEditTarget, withUpdatedTime } from "../../store/plan-edit.ts";
import { checkWrite, findConflict, findSameTopic, renderWrite } from "../../store/plan-write.ts";
import { assertNoSecrets } from "../../store/secrets.ts";
import { topicHash, toStoredTopic } from "../../store/stored-topic.ts";
import type {
  EditTopicInput,
  EditTopicResult,
  RemoveTopicInput,
  RemoveTopicResult,
  RenameTopicInput,
  RenameTopicResult,
  StoredTopic,
  WriteTopicInput,
  WriteTopicResult,
} from "../../store/topic-store.ts";
import { MAX_TOPIC_BYTES } from "../../topics/limits.ts";
import { renameLinks } from "../../topics/links.ts";
import { renameInHeader } from "../../topics/render-topic.ts";
import { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "../../topics/slug.ts";
import { sha256Hex } from "../sha256-hex.ts";
import {
  listFileNames,
  readTopicFile,
  refusedFileError,
  topicPath,
  topicSlugs,
} from "./files/topic-files.ts";
import { openDirectory, type StoreContext } from "./transaction/store-context.ts";
import { commit, transact, type Transaction } from "./transaction/transaction.ts";

export async function writeTopic(
  context: StoreContext,
  request: WriteTopicInput,
): Promise<WriteTopicResult> {
  const checked = await checkWrite(request, context.findSecrets);
  return await transact(context, async (transaction): Promise<WriteTopicResult> => {
    const before = await findTopic(transaction, checked.slug);
    const conflict = findConflict(before, request);
    if (conflict === "missing") return { kind: "missing", slug: checked.slug };
    if (conflict !== undefined) return conflict;
    // The name of a new topic must be valid for one, even if the request was to replace an existing topic.
    const slug = before?.slug ?? parseNewTopicSlug(checked.slug);
    const entry = { ...checked, slug };
    const text = renderWrite(entry, request, { current: before, nowMs: context.now() });
    const files = [{ slug, before: before?.text ?? null, after: text }];
    const { author } = request;
    const { change, index } = await commit(transaction, { action: "write", author, files });
    return {
      kind: "written",
      slug,
      isNew: before === undefined,
      hash: topicHash(text, sha256Hex),
      // As it is in the index: a hand-written title is kept.
      indexLine: currentIndexLine(index, slug) ?? renderIndexLine(entry),
      warning: indexWarning(index),
      change,
    };
  });
}

export async function editTopic(
  context: StoreContext,
  request: EditTopicInput,
): Promise<EditTopicResult> {
  const nowMs = context.now();
  const checked = await checkEdit(request, { findSecrets: context.findSecrets, nowMs });
  if (request.ifMatch !== undefined && openDirectory(context) === undefined) {
    return { kind: "missing", slug: checked.slug };
  }
  return await transact(context, async (transaction): Promise<EditTopicResult> => {
    const current = await findTopic(transaction, checked.slug);
    const result = checkEditTarget(current, checked, request);
    if (result !== undefined) return result;
    const slug = current?.slug ?? checked.slug;
    const after = withUpdatedTime(current, checked, { ...request, nowMs });
    const isNew = current === undefined;
    const { author, action = isNew ? "write" : "edit" } = request;
    const files = [{ slug, before: current?.text ?? null, after }];
    const { change, index } = await commit(transaction, { action, author, files });
    return {
      kind: "edited",
      slug,
      isNew,
      topic: toStoredTopic({ slug, text: after, modifiedMs: nowMs }, sha256Hex),
      warning: indexWarning(index),
      change,
    };
  });
}

export async function removeTopic(
  context: StoreContext,
  { name, ifMatch, author }: RemoveTopicInput,
): Promise<RemoveTopicResult> {
  const slug = parseTopicSlug(name);
  if (openDirectory(context) === undefined) return { kind: "missing", slug };
  return await transact(context, async (transaction): Promise<RemoveTopicResult> => {
    const topic = await findTopic(transaction, slug);
    if (topic === undefined) return { kind: "missing", slug };
    const conflict = findConflict(topic, ifMatch === undefined ? { replace: true } : { ifMatch });
    if (conflict !== undefined && conflict !== "missing") return conflict;
    const files = [{ slug: topic.slug, before: topic.text, after: null }];
    const { change } = await commit(transaction, { action: "remove", author, files });
    return { kind: "removed", topic, change };
  });
}

export async function renameTopic(
  context: StoreContext,
  { from, to, author }: RenameTopicInput,
): Promise<RenameTopicResult> {
  const [oldSlug, newSlug] = [parseTopicSlug(from), parseNewTopicSlug(to)];
  await assertNoSecrets({ "new name": newSlug }, context.findSecrets);
  if (openDirectory(context) === undefined) return { kind: "missing", slug: oldSlug };
  return await transact(context, async (transaction): Promise<RenameTopicResult> => {
    const topic = await findTopic(transaction, oldSlug);
    if (topic === undefined) return { kind: "missing", slug: oldSlug };
    const taken = await findTopic(transaction, newSlug);
    if (taken !== undefined && taken.slug !== topic.slug) {
      return { kind: "conflict", reason: "exists", current: taken };
    }
    if (newSlug === topic.slug) return { kind: "renamed", slug: newSlug, relinked: [] };
    const links = await relinkedFiles(transaction.directory, topic.slug, newSlug);
    const files = [...renamedFiles(topic, newSlug), ...links];
    const { change } = await commit(transaction, { action: "rename", author, files });
    return { kind: "renamed", slug: newSlug, relinked: links.map(({ slug }) => slug), change };
  });
}

function renamedFiles({ slug, text }: StoredTopic, newSlug: TopicSlug): readonly FileChange[] {
  const renamed = relink(renameInHeader(text, newSlug), slug, newSlug);
  const arrival = { slug: newSlug, before: null, after: renamed };
  const departure = { slug, before: text, after: null };
  // If the file system does not tell the two names apart, the old file must be removed first.
  const isSameFile = slugKey(newSlug) === slugKey(slug);
  return isSameFile ? [departure, arrival] : [arrival, departure];
}

/** The other topics that link to a topic, with their links updated. An unreadable one keeps its dead link. */
async function relinkedFiles(
  directory: string,
  from: TopicSlug,
  to: TopicSlug,
): Promise<readonly FileChange[]> {
  const others = topicSlugs(listFileNames(directory)).filter((slug) => slug !== from);
  const files = await Promise.all(
    others.map(async (slug) => {
      const file = await readTopicFile(directory, slug);
      const before = file.kind === "text" ? file.text : "";
      return { slug, before, after: relink(before, from, to) };
    }),
  );
  return files.filter(({ before, after }) => before !== after);
}

/** Keeps the old links if the new ones would make the text too long to be read. */
function relink(text: string, from: TopicSlug, to: TopicSlug): string {
  const changed = renameLinks(text, from, to);
  return Buffer.byteLength(changed) > MAX_TOPIC_BYTES ? text : changed;
}

/** The topic that a name refers to. Uses the index, which has a line for every topic, instead of listing the directory. */
async function findTopic(
  { directory, index }: Transaction,
  slug: TopicSlug,
): Promise<StoredTopic | undefined> {
  const exact = await readStoredTopic(directory, slug);
  if (exact !== undefined) return exact;
  const same = findSameTopic(
    slug,
    parseIndexLines(index).map((line) => line.slug),
  );
  return same && (await readStoredTopic(directory, same));
}

/**
 * The topic with exactly this name.
 * @throws MemoryError `REFUSED_FILE`
 */
export async function readStoredTopic(
  directory: string,
  slug: TopicSlug,
): Promise<StoredTopic | undefined> {
  const file = await readTopicFile(directory, slug);
  if (file.kind === "refused") throw refusedFileError(topicPath(directory, slug), file.reason);
  return file.kind === "text" ? toStoredTopic(file, sha256Hex) : undefined;
}
