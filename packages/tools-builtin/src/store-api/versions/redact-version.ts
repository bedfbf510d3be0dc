import { readIfValid } from "../documents/document-path.ts";
import type { VersionRecord } from "../history/lineages.ts";
import { parseVersionId } from "../history/memory-id.ts";
import type { ChangeContext } from "../memories/create-memory.ts";
import type { MemoryContext } from "../memories/memory-object.ts";
import { type ApiAnswer, answer, StoreApiError } from "../request/api-answer.ts";
import { readableVersions } from "./list-versions.ts";
import { toVersion } from "./version-object.ts";

export async function retrieveVersion(
  versionId: string,
  context: MemoryContext,
  view: "basic" | "full",
): Promise<ApiAnswer> {
  const { version } = await findVersion(versionId, context);
  return answer(await toVersion(version, context, view));
}

/** Erases the text of an old version for good. Who changed what, and when, stays. */
export async function redactVersion(versionId: string, context: ChangeContext): Promise<ApiAnswer> {
  const { opened, client } = context;
  if (!client.mayRedact) {
    const message =
      "this token may not redact; make one with: caliban serve token add NAME --redact";
    throw new StoreApiError("permission_error", message);
  }
  const { version, isNewest } = await findVersion(versionId, context);
  if (version.isErased) return answer(await toVersion(version, context, "basic"));
  if (isNewest && (await readIfValid(opened.store, version.slug)) !== undefined) {
    const message = "this is the current version; update or delete the memory, then redact it";
    throw new StoreApiError("invalid_request_error", message);
  }
  await opened.store.erase(version.slug, version.change);
  return await retrieveVersion(versionId, context, "basic");
}

interface FoundVersion {
  readonly version: VersionRecord;
  readonly isNewest: boolean;
}

async function findVersion(versionId: string, { opened }: MemoryContext): Promise<FoundVersion> {
  const key = parseVersionId(versionId);
  const versions = key === undefined ? [] : await readableVersions(opened);
  const version = versions.find(({ change, slug }) => change === key?.change && slug === key.slug);
  if (version === undefined) throw new StoreApiError("not_found_error", "no such memory version");
  const newest = versions.find(({ memoryId }) => memoryId === version.memoryId);
  return { version, isNewest: newest === version };
}
