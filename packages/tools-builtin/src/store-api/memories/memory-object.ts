import type { StoredTopic } from "@caliban/memory";
import { documentPath } from "../documents/document-path.ts";
import { documentOf } from "../documents/topic-document.ts";
import { versionIdOf } from "../history/memory-id.ts";
import type { OpenedStore } from "../served-store.ts";

/** What the objects of this API are made with. */
export interface MemoryContext {
  readonly opened: OpenedStore;
  readonly sha256Hex: (text: string) => string;
}

/** A memory as clients get it. Its hash is that of the exact content. */
export async function toMemory(
  topic: StoredTopic,
  { opened, sha256Hex }: MemoryContext,
  view: "basic" | "full",
): Promise<object> {
  const { content, bytes } = documentOf(topic);
  const { id, createdAt, change } = await opened.identities.identify(topic);
  const { slug, updatedMs } = topic;
  return {
    type: "memory",
    id,
    memory_store_id: opened.id,
    memory_version_id: versionIdOf({ change, slug }),
    path: documentPath(slug),
    content: view === "full" ? content : null,
    content_sha256: sha256Hex(content),
    content_size_bytes: bytes,
    created_at: createdAt,
    updated_at: new Date(updatedMs).toISOString(),
  };
}
