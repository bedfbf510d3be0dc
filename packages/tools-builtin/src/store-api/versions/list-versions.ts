import { isRecord } from "@caliban/common";
import type { VersionRecord } from "../history/lineages.ts";
import { versionIdOf } from "../history/memory-id.ts";
import type { MemoryContext } from "../memories/memory-object.ts";
import { type ApiAnswer, answer, StoreApiError } from "../request/api-answer.ts";
import type { RequestFields } from "../request/api-request.ts";
import { parsePage, renderPage } from "../request/page-cursor.ts";
import { isReadable, type OpenedStore } from "../served-store.ts";
import { actorOf, toVersion } from "./version-object.ts";

/** Lists versions, newest first. */
export async function listVersions(
  query: RequestFields,
  context: MemoryContext,
): Promise<ApiAnswer> {
  const page = parsePage(query);
  const all = (await readableVersions(context.opened)).filter(createFilter(query));
  const start =
    page.after === undefined
      ? 0
      : all.findIndex((version) => versionIdOf(version) === page.after) + 1;
  if (start === 0 && page.after !== undefined)
    throw new StoreApiError("invalid_request_error", "this page no longer exists; start again");
  const shown = all.slice(start, start + page.limit);
  const data: object[] = [];
  for (const version of shown)
    data.push(await toVersion(version, context, page.isFull ? "full" : "basic"));
  const last = shown.at(-1);
  const hasMore = start + shown.length < all.length && last !== undefined;
  return answer(renderPage(data, hasMore ? versionIdOf(last) : undefined));
}

/** A rule about a memory holds for all names that it had. */
export async function readableVersions(opened: OpenedStore): Promise<readonly VersionRecord[]> {
  const versions = await opened.identities.versions();
  const hidden = new Set(
    versions.filter(({ slug }) => !isReadable(opened, slug)).map(({ memoryId }) => memoryId),
  );
  return versions.filter(({ memoryId }) => !hidden.has(memoryId));
}

type VersionFilter = (version: VersionRecord) => boolean;

function createFilter(query: RequestFields): VersionFilter {
  const filters: readonly (VersionFilter | undefined)[] = [
    equals(query.text("memory_id"), ({ memoryId }) => memoryId),
    equals(query.text("operation"), ({ operation }) => operation),
    ...(["api_key_id", "session_id", "service_account_id"] as const).map((name) =>
      equals(query.text(name), ({ record }) => {
        const actor: unknown = actorOf(record);
        return isRecord(actor) ? actor[name] : undefined;
      }),
    ),
    inTime(query, "created_at[gte]", (atMs, limitMs) => atMs >= limitMs),
    inTime(query, "created_at[lte]", (atMs, limitMs) => atMs <= limitMs),
  ];
  const given = filters.filter((filter) => filter !== undefined);
  return (version) => given.every((filter) => filter(version));
}

function equals(
  wanted: string | undefined,
  valueOf: (version: VersionRecord) => unknown,
): VersionFilter | undefined {
  return wanted === undefined ? undefined : (version) => valueOf(version) === wanted;
}

function inTime(
  query: RequestFields,
  name: string,
  isInside: (atMs: number, limitMs: number) => boolean,
): VersionFilter | undefined {
  const text = query.text(name);
  if (text === undefined) return undefined;
  const limitMs = Date.parse(text);
  if (Number.isNaN(limitMs))
    throw new StoreApiError("invalid_request_error", `${name} must be a time in RFC 3339`);
  return ({ record }) => isInside(Date.parse(record.at), limitMs);
}
