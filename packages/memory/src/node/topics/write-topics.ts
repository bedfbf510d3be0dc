import { indexWarning } from "../../index-file/edit-index.ts";
import { checkEdit, withUpdatedTime, checkEditTarget } from "../../store/plan-edit.ts";
import type { FindSecrets } from "../../store/secrets.ts";
import type { EditTopicInput, EditTopicResult, StoredTopic } from "../../store/topic-store.ts";
import { toStoredTopic } from "../../store/stored-topic.ts";
import { sha256Hex } from "../sha256-hex.ts";
import type { StoreAccess, LockedStore } from "./transaction/transaction.ts";
import { parseIndexLines } from "../../index-file/index-lines.ts";
import { findSameTopic } from "../../store/plan-write.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import { readTopicFile } from "./files/topic-files.ts";

interface EditedStore {
  readonly access: StoreAccess;
  readonly findSecrets: FindSecrets;
  readonly now: () => number;
}

/**
 * Takes over what somebody made of a topic file.
 * @throws MemoryError `INVALID_SLUG`, `INVALID_TOPIC` or `SECRET_FOUND`; the store is then as it was
 */
export async function editTopic(
  { access, findSecrets, now }: EditedStore,
  request: EditTopicInput,
): Promise<EditTopicResult> {
  const nowMs = now();
  const checked = await checkEdit(request, { findSecrets, nowMs });
  if (request.ifMatch !== undefined && access.directory() === undefined) {
    return { kind: "missing", slug: checked.slug };
  }
  return await access.write(async (locked): Promise<EditTopicResult> => {
    const current = await findTopic(locked, checked.slug);
    const refused = checkEditTarget(current, checked, request);
    if (refused !== undefined) return refused;
    const slug = current?.slug ?? checked.slug;
    const after = withUpdatedTime(current, checked, { ...request, nowMs });
    const isNew = current === undefined;
    const { author, action = isNew ? "write" : "edit" } = request;
    const files = [{ slug, before: current?.text ?? null, after }];
    const { change, index } = await locked.commit({ action, author, files });
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

/** The topic that a name means, by the index: it has a line for every topic, so the directory need not be read. */
export async function findTopic(
  { directory, index }: LockedStore,
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

/** The topic that has exactly this name. */
export async function readStoredTopic(
  directory: string,
  slug: TopicSlug,
): Promise<StoredTopic | undefined> {
  const file = await readTopicFile(directory, slug);
  return file && toStoredTopic(file, sha256Hex);
}
