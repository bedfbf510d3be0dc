import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type RequestHead, requestHead, SECURITY_HEADERS } from "@caliban/common/http";
import { createConnections } from "@caliban/common/node";
import { HTTP_TIMEOUTS, listen, portOf, readJsonBody } from "@caliban/common/node/http";
import {
  type ApiAnswer,
  type ApiClient,
  errorAnswer,
  type StoreApi,
} from "@caliban/tools-builtin/store-api";
import { UsageError } from "../../../usage-error.ts";
import { checkHead, MAX_REQUEST_BYTES, TOO_LARGE } from "./check-head.ts";
import { createCertifiedHosts, isLoopbackHost } from "./own-host.ts";
import { type ClientLimits, createRequestLimits, type RequestLimits } from "./request-limits.ts";

export interface StartServerInput {
  readonly api: StoreApi;
  readonly findClient: (token: string) => ApiClient | undefined;
  readonly limits: ClientLimits;
  /** 0 picks a free port. */
  readonly port: number;
  /** Where others can reach it; only this machine if left out. */
  readonly remote?: RemoteAccess | undefined;
  /** Shows one line to the user. */
  readonly report: (line: string) => void;
  /** How long a client may take to send a request. */
  readonly requestTimeoutMs?: number | undefined;
}

/** Another machine talks to this one only through TLS. */
export interface RemoteAccess {
  readonly address: string;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

export interface RunningServer {
  readonly url: string;
  /** Accepts no more requests, and resolves when those that are running have been answered. */
  readonly close: () => Promise<void>;
}

const LOOPBACK_ADDRESS = "127.0.0.1";

/**
 * Serves memory stores to clients with a token.
 * @throws UsageError for an address or a certificate that cannot be used
 */
export async function startServer(input: StartServerInput): Promise<RunningServer> {
  const { remote, report } = input;
  const connections = createConnections({ maxTrusted: 512, maxUnknown: 256 });
  const limits = createRequestLimits(input.limits, () => performance.now());
  const isOwnHost =
    remote === undefined
      ? (host: string) => isLoopbackHost(host, portOf(server))
      : createCertifiedHosts(remote.certificate);
  const running = new Set<Promise<void>>();
  const answerRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const head = requestHead(request);
    const checked = checkHead(head, { isOwnHost, findClient: input.findClient });
    if (checked.kind === "refused") return refuseHead(response, checked.answer, limits);
    connections.trust(request.socket);
    const exchange = { request, response, head, ...checked };
    const answered = answer(exchange, { api: input.api, limits }).catch((error: unknown) => {
      // The client is gone, or too slow.
      if (request.errored !== null || response.destroyed) return;
      report(`request failed: ${error instanceof Error ? error.message : String(error)}`);
      send(response, errorAnswer("api_error", "this is a bug in caliban, please report it"));
    });
    running.add(answered);
    void answered.finally(() => running.delete(answered));
  };
  const server = createServer(input, answerRequest);
  server.on(remote === undefined ? "connection" : "secureConnection", connections.add);
  server.maxConnections = MAX_CONNECTIONS;
  const host = remote?.address ?? LOOPBACK_ADDRESS;
  const reason = await listen(server, { port: input.port, host });
  if (reason !== undefined)
    throw new UsageError(`cannot listen on ${host}, port ${input.port}: ${reason}`);
  const scheme = remote === undefined ? "http" : "https";
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${scheme}://${name}:${portOf(server)}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      await Promise.all(running);
      // Answers are still on their way; those who do not read them, or sent only a part of a request, are not waited for.
      const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

const CLOSE_MS = 1_000;

/** With those that have not said anything yet. */
const MAX_CONNECTIONS = 2_000;

function createServer(
  { remote, requestTimeoutMs = HTTP_TIMEOUTS.requestTimeout }: StartServerInput,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const timeouts = { ...HTTP_TIMEOUTS, requestTimeout: requestTimeoutMs };
  const headersTimeout = Math.min(timeouts.headersTimeout, requestTimeoutMs);
  const options = { ...timeouts, headersTimeout };
  if (remote === undefined) return createHttpServer(options, listener);
  const { certificate: cert, key } = remote;
  return createHttpsServer(
    { ...options, cert, key, minVersion: "TLSv1.2", handshakeTimeout: headersTimeout },
    listener,
  );
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  readonly client: ApiClient;
  readonly hasBody: boolean;
}

async function answer(
  { request, response, head, client, hasBody }: Exchange,
  { api, limits }: { readonly api: StoreApi; readonly limits: RequestLimits },
): Promise<void> {
  const { method, path } = head;
  const refusal = limits.count(client.name, method !== "GET");
  if (refusal !== undefined) {
    request.resume();
    return send(response, errorAnswer("rate_limit_error", refusal), RETRY_LATER);
  }
  const body = hasBody ? await readJsonBody(request, MAX_REQUEST_BYTES) : NO_BODY;
  if (!hasBody) request.resume();
  if ("problem" in body) return send(response, body.problem === "too-large" ? TOO_LARGE : NOT_JSON);
  const query = Object.fromEntries(new URL(request.url ?? "/", "http://server").searchParams);
  send(response, await api({ method, path, query, body: body.value, client }));
}

const NO_BODY = { value: undefined };
const NOT_JSON = errorAnswer(
  "invalid_request_error",
  "the request is not valid JSON; nothing was changed",
);
const RETRY_LATER = { "retry-after": "1" };

function refuseHead(response: ServerResponse, refusal: ApiAnswer, limits: RequestLimits): void {
  // Its body is not read, so nothing else can come on this connection.
  const headers = { connection: "close" };
  if (limits.countRefused()) send(response, refusal, headers);
  else send(response, errorAnswer("rate_limit_error", "too many refused requests"), headers);
  response.req.resume();
}

function send(
  response: ServerResponse,
  { status, body, canRetry }: ApiAnswer,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.end();
    return;
  }
  // SDKs repeat a conflict, too, unless they are told that it stays one.
  const isFinal = status >= 400 && canRetry !== true && headers["retry-after"] === undefined;
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    "content-type": "application/json; charset=utf-8",
    ...(isFinal ? { "x-should-retry": "false" } : {}),
    ...headers,
  });
  response.end(JSON.stringify(body));
}
