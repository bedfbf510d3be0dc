import { utf8Bytes } from "@caliban/common";
import type { Change } from "@caliban/memory";
import { documentPath } from "../documents/document-path.ts";
import { splitFile } from "../documents/split-file.ts";
import type { VersionRecord } from "../history/lineages.ts";
import { versionIdOf } from "../history/memory-id.ts";
import type { MemoryContext } from "../memories/memory-object.ts";

/** A version as clients get it. A text that was erased leaves who changed what, and when. */
export async function toVersion(
  { memoryId, change, slug, operation, text, isErased, record }: VersionRecord,
  { opened, sha256Hex }: MemoryContext,
  view: "basic" | "full",
): Promise<object> {
  const content = text === null ? undefined : (await splitFile(text)).text;
  return {
    type: "memory_version",
    id: versionIdOf({ change, slug }),
    memory_id: memoryId,
    memory_store_id: opened.id,
    operation,
    path: isErased ? null : documentPath(slug),
    content: view === "full" && content !== undefined ? content : null,
    content_sha256: content === undefined ? null : sha256Hex(content),
    content_size_bytes: content === undefined ? null : utf8Bytes(content),
    created_at: record.at,
    created_by: actorOf(record),
    redacted_at: isErased ? (record.erasedAt ?? record.at) : null,
    redacted_by: null,
  };
}

/** Who made a change. Clients of this server are named by their tokens. */
export function actorOf({ who, agent, session, user }: Change): object | null {
  if (who === "person") return { type: "user_actor", user_id: user ?? "local" };
  if (who === "other") return null;
  if (session?.startsWith("serve:") === true)
    return { type: "api_actor", api_key_id: agent ?? session.slice("serve:".length) };
  if (session !== undefined) return { type: "session_actor", session_id: session };
  return agent === undefined ? null : { type: "api_actor", api_key_id: agent };
}
