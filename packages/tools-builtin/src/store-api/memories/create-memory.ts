import {
  documentPath,
  overlaps,
  readAtPath,
  refuseSecretPath,
  topicNameFor,
} from "../documents/document-path.ts";
import { type ApiAnswer, answer, StoreApiError } from "../request/api-answer.ts";
import type { ApiClient, RequestFields } from "../request/api-request.ts";
import { isReadable, type OpenedStore, requireChange } from "../served-store.ts";
import { type MemoryContext, toMemory } from "./memory-object.ts";
import { parseContent } from "./parse-content.ts";
import { writeContent } from "./write-content.ts";

export interface ChangeContext extends MemoryContext {
  readonly client: ApiClient;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly view: "basic" | "full";
}

export async function createMemory(
  body: RequestFields,
  context: ChangeContext,
): Promise<ApiAnswer> {
  const { opened, client, now, view } = context;
  requireChange(opened, client, "write");
  const path = body.text("path");
  if (path === undefined) throw new StoreApiError("invalid_request_error", "path must be a string");
  const content = parseContent(body);
  if (content === undefined)
    throw new StoreApiError("invalid_request_error", "content must be a string");
  await refuseSecretPath(path);
  await requireFreePath(opened, path);
  const write = { name: topicNameFor(path), content, current: undefined, client, nowMs: now() };
  const result = await writeContent(write, opened);
  if (result.kind === "held") return result.answer;
  // Another client was faster.
  if (result.kind === "conflict") throw await pathConflict(opened, path);
  return answer(await toMemory(result.topic, context, view));
}

/** @throws StoreApiError if a memory has this path, or one above or below it */
export async function requireFreePath(
  opened: OpenedStore,
  path: string,
  except?: string,
): Promise<void> {
  const taken = await readAtPath(opened.store, path);
  if (taken !== undefined && taken.slug !== except) throw await pathConflict(opened, path);
  const { topics } = await opened.store.list();
  const other = topics.find(({ slug }) => slug !== except && overlaps(documentPath(slug), path));
  if (other !== undefined) throw await pathConflict(opened, documentPath(other.slug));
}

export async function pathConflict(opened: OpenedStore, path: string): Promise<StoreApiError> {
  const topic = await readAtPath(opened.store, path);
  const isShown = topic !== undefined && isReadable(opened, topic.slug);
  const shown = isShown ? documentPath(topic.slug) : path;
  const id = isShown ? (await opened.identities.identify(topic)).id : "";
  const message = `another memory is at ${JSON.stringify(shown)}; update that one, or choose another path`;
  return new StoreApiError("memory_path_conflict_error", message, {
    conflicting_memory_id: id,
    conflicting_path: shown,
  });
}
