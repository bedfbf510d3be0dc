import type { StoredTopic } from "@caliban/memory";
import { readIfValid } from "../documents/document-path.ts";
import { StoreApiError } from "../request/api-answer.ts";
import { isReadable, type OpenedStore } from "../served-store.ts";

/**
 * The topic with this id.
 * @throws StoreApiError if there is none that the client may see
 */
export async function findMemory(opened: OpenedStore, memoryId: string): Promise<StoredTopic> {
  const topic = await opened.identities.find(
    memoryId,
    async (name) => await readIfValid(opened.store, name),
  );
  if (topic !== undefined && isReadable(opened, topic.slug)) return topic;
  throw new StoreApiError("not_found_error", "no such memory");
}
