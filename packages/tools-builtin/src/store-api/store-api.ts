import { createMemory, type ChangeContext } from "./memories/create-memory.ts";
import { deleteMemory } from "./memories/delete-memory.ts";
import { findMemory } from "./memories/find-memory.ts";
import { listMemories } from "./memories/list-memories.ts";
import { toMemory } from "./memories/memory-object.ts";
import { updateMemory } from "./memories/update-memory.ts";
import { type ApiAnswer, answer, answerForError, StoreApiError } from "./request/api-answer.ts";
import { type ApiRequest, fieldsOf, type RequestFields } from "./request/api-request.ts";
import { parseView } from "./request/page-cursor.ts";
import { type OpenedStore, openServedStore, type ServedStore } from "./served-store.ts";
import { listVersions } from "./versions/list-versions.ts";
import { redactVersion, retrieveVersion } from "./versions/redact-version.ts";

export interface StoreApiInput {
  readonly stores: readonly ServedStore[];
  /** SHA-256 of a text as hexadecimal digits. */
  readonly sha256Hex: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since any point in time. */
  readonly monotonicMs: () => number;
}

/** Answers requests about memory stores. An error that it throws is a bug. */
export type StoreApi = (request: ApiRequest) => Promise<ApiAnswer>;

/**
 * The API that hosted memory stores share, on topic stores: stores, memories, versions, a hash of the content as the
 * condition of a change, and redaction. Each memory is a topic, whose header clients do not see. It checks everything
 * about a request except who sent it.
 */
export function createStoreApi(input: StoreApiInput): StoreApi {
  const opened = new Map(
    input.stores.map((served) => [served.id, openServedStore(served, input)] as const),
  );
  return async (request) => {
    try {
      return await route(request, opened, input);
    } catch (error) {
      const expected = answerForError(error);
      if (expected === undefined) throw error;
      return expected;
    }
  };
}

const ROOT = "/v1/memory_stores";

async function route(
  request: ApiRequest,
  stores: ReadonlyMap<string, OpenedStore>,
  input: StoreApiInput,
): Promise<ApiAnswer> {
  const { path, client } = request;
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) throw notFound("no such path");
  const [id, ...rest] = path
    .slice(ROOT.length + 1)
    .split("/")
    .filter(Boolean);
  if (id === undefined) return await routeStores(request, stores, input);
  const opened = stores.get(id);
  // Whether others exist is not for this client to know.
  if (opened === undefined || client.access(id) === undefined) throw notFound("no such store");
  if (rest.length === 0) {
    requireMethod(request, ["GET"]);
    return answer(await toStore(opened, input));
  }
  return await routeStore(request, rest, { ...input, opened });
}

async function routeStores(
  request: ApiRequest,
  stores: ReadonlyMap<string, OpenedStore>,
  input: StoreApiInput,
): Promise<ApiAnswer> {
  requireMethod(request, ["GET"]);
  const shown = [...stores.values()].filter(({ id }) => request.client.access(id) !== undefined);
  const data = await Promise.all(shown.map(async (opened) => await toStore(opened, input)));
  return answer({ data, next_page: null });
}

async function toStore(
  { id, name, description, identities }: OpenedStore,
  { now }: StoreApiInput,
): Promise<object> {
  const at = (await identities.startedAt()) ?? new Date(now()).toISOString();
  const times = { created_at: at, updated_at: at, archived_at: null };
  return { type: "memory_store", id, name, description, metadata: {}, ...times };
}

type RouteInput = StoreApiInput & { readonly opened: OpenedStore };

async function routeStore(
  request: ApiRequest,
  [kind, id, action, ...more]: readonly string[],
  input: RouteInput,
): Promise<ApiAnswer> {
  const isVersion = kind === "memory_versions";
  const isRedaction = isVersion && action === "redact";
  if (more.length > 0 || (action !== undefined && !isRedaction)) throw notFound("no such path");
  if (kind !== "memories" && !isVersion) throw notFound("no such path");
  const query = fieldsOf(request.query);
  if (isVersion) return await routeVersions(request, { id, isRedaction, query }, input);
  return await routeMemories(request, { id, query }, input);
}

async function routeMemories(
  request: ApiRequest,
  { id, query }: { readonly id: string | undefined; readonly query: RequestFields },
  input: RouteInput,
): Promise<ApiAnswer> {
  requireMethod(request, id === undefined ? ["GET", "POST"] : ["GET", "POST", "DELETE"]);
  const { method } = request;
  if (id === undefined && method === "GET") return await listMemories(query, input);
  const isRetrieval = method === "GET";
  const view = parseView(query, isRetrieval ? "full" : "basic");
  const context = toChangeContext(request, input, view);
  if (id === undefined) return await createMemory(fieldsOf(request.body), context);
  if (isRetrieval) return answer(await toMemory(await findMemory(input.opened, id), context, view));
  if (method === "DELETE") return await deleteMemory(id, query, context);
  return await updateMemory(id, fieldsOf(request.body), context);
}

async function routeVersions(
  request: ApiRequest,
  {
    id,
    isRedaction,
    query,
  }: {
    readonly id: string | undefined;
    readonly isRedaction: boolean;
    readonly query: RequestFields;
  },
  input: RouteInput,
): Promise<ApiAnswer> {
  requireMethod(request, [isRedaction ? "POST" : "GET"]);
  if (id === undefined) return await listVersions(query, input);
  const view = parseView(query, "full");
  if (!isRedaction) return await retrieveVersion(id, input, view);
  return await redactVersion(id, toChangeContext(request, input, view));
}

function toChangeContext(
  { client }: ApiRequest,
  { opened, sha256Hex, now }: RouteInput,
  view: "basic" | "full",
): ChangeContext {
  return { opened, sha256Hex, now, client, view };
}

function requireMethod({ method }: ApiRequest, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  const message = `${method} is not possible here; use ${allowed.join(" or ")}`;
  throw new StoreApiError("invalid_request_error", message);
}

function notFound(message: string): StoreApiError {
  return new StoreApiError("not_found_error", message);
}
