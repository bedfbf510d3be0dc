import type { StoredTopic } from "@caliban/memory";
import { documentPath, refuseSecretPath, topicNameFor } from "../documents/document-path.ts";
import { documentOf } from "../documents/topic-document.ts";
import { type ApiAnswer, answer, StoreApiError } from "../request/api-answer.ts";
import type { RequestFields } from "../request/api-request.ts";
import { requireChange } from "../served-store.ts";
import { type ChangeContext, pathConflict, requireFreePath } from "./create-memory.ts";
import { findMemory } from "./find-memory.ts";
import { toMemory } from "./memory-object.ts";
import { parseContent } from "./parse-content.ts";
import { parsePrecondition, preconditionFailed } from "./precondition.ts";
import { reasonToHold } from "./review-memory.ts";
import { authorOf, writeContent } from "./write-content.ts";

/** Another writer may win now and then, but not always. */
const MAX_ATTEMPTS = 100;

/** What an update wants to be true afterwards. */
interface WantedMemory {
  readonly content: string | undefined;
  readonly path: string | undefined;
  readonly sha256: string | undefined;
}

export async function updateMemory(
  memoryId: string,
  body: RequestFields,
  context: ChangeContext,
): Promise<ApiAnswer> {
  const { opened, client, view } = context;
  requireChange(opened, client, "write");
  const wanted = parseWanted(body);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await findMemory(opened, memoryId);
    const result = await attemptUpdate(current, wanted, context);
    if (result === "conflict") continue;
    return "status" in result ? result : answer(await toMemory(result, context, view));
  }
  throw new StoreApiError("overloaded_error", "others change this memory all the time; try again");
}

function parseWanted(body: RequestFields): WantedMemory {
  const content = parseContent(body);
  const path = body.has("path") ? body.text("path") : undefined;
  if (body.has("path") && path === undefined)
    throw new StoreApiError("invalid_request_error", "path must be a string");
  return { content, path, sha256: parsePrecondition(body) };
}

async function attemptUpdate(
  current: StoredTopic,
  { content, path, sha256 }: WantedMemory,
  context: ChangeContext,
): Promise<StoredTopic | ApiAnswer | "conflict"> {
  const before = documentOf(current).content;
  const newContent = content === before ? undefined : content;
  const newPath = path === documentPath(current.slug) ? undefined : path;
  // Someone who repeats a request that was carried out gets the same answer.
  if (newContent === undefined && newPath === undefined) return current;
  if (sha256 !== undefined && sha256 !== context.sha256Hex(before)) throw preconditionFailed();
  if (newContent === undefined) return await rename(current, newPath ?? "", context);
  if (newPath === undefined) return await replaceContent(current, newContent, context);
  const message = "change content and path in two requests: here, a memory changes one at a time";
  throw new StoreApiError("invalid_request_error", message);
}

async function replaceContent(
  current: StoredTopic,
  content: string,
  { opened, client, now }: ChangeContext,
): Promise<StoredTopic | ApiAnswer | "conflict"> {
  const write = { name: current.slug, content, current, client, nowMs: now() };
  const result = await writeContent(write, opened);
  if (result.kind === "conflict") return "conflict";
  return result.kind === "held" ? result.answer : result.topic;
}

async function rename(
  current: StoredTopic,
  path: string,
  { opened, client }: ChangeContext,
): Promise<StoredTopic | "conflict"> {
  const to = topicNameFor(path);
  await refuseSecretPath(path);
  await requireFreePath(opened, path, current.slug);
  await requireHarmlessName(to, current, opened);
  const request = { from: current.slug, to, ifMatch: current.hash, author: authorOf(client) };
  const result = await opened.store.rename(request);
  if (result.kind === "missing") return "conflict";
  if (result.kind === "conflict") {
    if (result.reason === "exists") throw await pathConflict(opened, path);
    return "conflict";
  }
  opened.identities.outdate();
  return (await opened.store.read(result.slug)) ?? "conflict";
}

/** A new name is in the index, which every session sees. Only texts can wait in the inbox. */
async function requireHarmlessName(
  name: string,
  current: StoredTopic,
  opened: ChangeContext["opened"],
): Promise<void> {
  const { description, type = "project", body } = current.topic;
  const topic = { name, description, type, body };
  // As if the text had been there: only the name is new.
  const renamed = { ...current, slug: topicSlugOf(current, name) };
  const reason = await reasonToHold({ action: "edit", topic }, opened, renamed);
  if (reason === undefined) return;
  const message =
    "the user reviews changes of other agents, and a new path cannot wait in the inbox; ask the user to rename it";
  throw new StoreApiError("permission_error", message);
}

function topicSlugOf(current: StoredTopic, name: string): StoredTopic["slug"] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compared with the name and nothing else
  return name as typeof current.slug;
}
