import { createHash } from "node:crypto";
import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { isRecord, parseJson } from "@caliban/common";
import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { createStoreApi, type ServedStore } from "@caliban/tools-builtin/store-api";
import { onTestFinished } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/commands/serve/server/request-limits.ts";
import {
  startServer,
  type StartServerInput,
} from "../../../src/commands/serve/server/start-server.ts";

export const TOKEN = "caliban_right";
const STORE = "memstore_1";
export const MEMORIES = `/v1/memory_stores/${STORE}/memories`;

export interface RunningTestServer {
  readonly port: number;
  readonly store: TopicStore;
  readonly reported: readonly string[];
  readonly close: () => Promise<void>;
}

/** A server on a store in memory, with one client that may write. */
export async function startTestServer(
  input: Partial<StartServerInput> & { readonly served?: Partial<ServedStore> } = {},
): Promise<RunningTestServer> {
  const store = input.served?.store ?? createMapTopicStore();
  const policy = { allow: [], ask: [], deny: [], mode: "default" } as const;
  const api = createStoreApi({
    stores: [
      { id: STORE, name: "app", description: "", policy: () => policy, ...input.served, store },
    ],
    sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
    now: Date.now,
    monotonicMs: () => performance.now(),
  });
  const client = { name: "ci", mayRedact: false, access: () => "write" as const };
  const reported: string[] = [];
  const server = await startServer({
    api,
    findClient: (token) => (token === TOKEN ? client : undefined),
    limits: DEFAULT_LIMITS,
    port: 0,
    report: (line) => void reported.push(line),
    ...input,
  });
  onTestFinished(server.close);
  return { port: Number(new URL(server.url).port), store, reported, close: server.close };
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  /** `undefined` leaves one out that is sent otherwise. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
}

/** Sends any request, with the token and as JSON unless its headers say otherwise. */
export async function send(
  { port }: Pick<RunningTestServer, "port">,
  { method = "GET", path = MEMORIES, headers = {}, body }: HttpRequest = {},
): Promise<HttpAnswer> {
  const all = {
    authorization: `Bearer ${TOKEN}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return await new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, method, path, headers: Object.fromEntries(given), agent: false },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += String(chunk)));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** The type of an error. */
export function errorOf({ text }: HttpAnswer): unknown {
  const body = parseJson(text);
  return isRecord(body) && isRecord(body["error"]) ? body["error"]["type"] : undefined;
}
