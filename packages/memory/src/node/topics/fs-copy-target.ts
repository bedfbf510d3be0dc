import { changeKey } from "../../history/archived-change.ts";
import { indexAfter } from "../../index-file/index-after.ts";
import type { CopyTarget, RestoreRequest } from "../../store/copy/copy-memory.ts";
import type { CommitResult } from "../../store/topic-backend.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import { parseTopicSlug } from "../../topics/slug.ts";
import { readTopicText } from "./files/topic-files.ts";
import { createFsBackend } from "./fs-backend.ts";
import type { FsTopicStoreInput } from "./fs-topic-store.ts";
import { applyChange, UNRECORDED } from "./transaction/apply-change.ts";
import { createStoreContext } from "./transaction/store-context.ts";
import { transact, type Transaction } from "./transaction/transaction.ts";

/** The files of a store, to copy from and to. */
export function createFsCopyTarget(input: FsTopicStoreInput): CopyTarget {
  const context = createStoreContext(input);
  return {
    ...createFsBackend(context),
    restore: async (request) =>
      await transact(context, async (transaction) => await restore(transaction, request)),
  };
}

/** The history gets the records of the source, and none about the copy itself. */
async function restore(transaction: Transaction, request: RestoreRequest): Promise<CommitResult> {
  const { context, directory, rawIndex, index } = transaction;
  const { changes, records, rewritten } = request;
  const topics = changes.filter(({ name }) => name !== INDEX_FILE);
  const files = topics.map(({ name, before, text }) => ({
    slug: parseTopicSlug(name),
    before,
    after: text,
  }));
  const current = await Promise.all(files.map(({ slug }) => readTopicText(directory, slug)));
  const changed = files.filter(({ before }, at) => current[at] !== before);
  const newIndex = changes.find(({ name }) => name === INDEX_FILE);
  const isIndexChanged = newIndex !== undefined && newIndex.before !== rawIndex;
  if (changed.length > 0 || isIndexChanged) {
    const names = [...changed.map(({ slug }) => slug), ...(isIndexChanged ? [INDEX_FILE] : [])];
    return { kind: "conflict", names };
  }
  if (changes.length > 0) {
    await applyChange(transaction, {
      files,
      pending: UNRECORDED,
      planIndex: (now) =>
        now.raw === rawIndex ? (newIndex?.text ?? indexAfter(index, files)) : undefined,
      knownIndex: { raw: rawIndex, text: index },
    });
  }
  if (records.length + rewritten.length > 0) {
    const byKey = new Map(rewritten.map((change) => [changeKey(change), change]));
    await context.history.rewrite(async (all) => [
      ...all.map((change) => byKey.get(changeKey(change)) ?? change),
      ...records,
    ]);
  }
  return { kind: "committed", versions: new Map() };
}
