import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Connections, createConnections, errorCode } from "@caliban/common/node";
import { isLegacyRequest } from "@modelcontextprotocol/server";
import { PROTOCOL_CODE } from "../../serve/protocol-error.ts";
import type { MemoryServer } from "../../serve/protocol/protocol-server.ts";
import { MAX_MESSAGE_BYTES, readMessage, TOO_LONG } from "../../serve/protocol/read-message.ts";
import { createRequestQueue, type RequestQueue } from "../../serve/protocol/request-queue.ts";
import { createHttpClients, type HttpClients } from "./http-clients.ts";
import { checkRequest, type GateInput, HTTP_PATH, type HttpRefusal } from "./http-gate.ts";
import { createHttpRequests, type HttpRequests } from "./http-requests.ts";
import { ServeError } from "./serve-error.ts";
import { sendWebResponse, toWebRequest } from "./web-exchange.ts";

export interface ServeHttpInput {
  /** Creates the server of one client or of one request. It must run its requests in the given queue. */
  readonly createServer: (requests: RequestQueue) => MemoryServer;
  /** 0 picks a free port. */
  readonly port: number;
  /** The bearer token that every request must have. */
  readonly token: string;
  readonly report?: ((message: string) => void) | undefined;
}

/** A running HTTP server. */
export interface ServingHttp {
  readonly url: string;
  /** Accepts no more requests, and resolves when those that are running have been answered. */
  readonly close: () => Promise<void>;
}

/** Only this machine can reach it. */
const LOOPBACK_ADDRESS = "127.0.0.1";

/**
 * Serves any number of clients over HTTP on this machine.
 * @throws ServeError for a port that is not available
 *
 * @example
 * import { createMemoryServer } from "@caliban/mcp";
 * import { serveHttp } from "@caliban/mcp/node";
 * import { createMapTopicStore } from "@caliban/memory";
 *
 * const store = createMapTopicStore();
 * const serving = await serveHttp({
 *   createServer: (requests) => createMemoryServer({ store, requests }),
 *   port: 0,
 *   token: crypto.randomUUID(),
 * });
 * console.log(new URL(serving.url).pathname); // /mcp
 * await serving.close();
 */
export async function serveHttp(input: ServeHttpInput): Promise<ServingHttp> {
  const { createServer, port, token, report = () => undefined } = input;
  const requests = createRequestQueue();
  const served: Served = {
    clients: createHttpClients(() => createServer(requests)),
    requests: createHttpRequests(() => createServer(requests)),
  };
  const connections = createConnections();
  const server = await listen(port, connections, (request, response, ownPort) => {
    const gate = { port: ownPort, token, onAccepted: connections.trust };
    answer({ request, response, served }, gate).catch((error: unknown) => {
      report(`request failed: ${error instanceof Error ? error.message : String(error)}`);
      refuse(response, { ...INTERNAL, status: 500 });
    });
  });
  return {
    url: `http://${LOOPBACK_ADDRESS}:${portOf(server)}${HTTP_PATH}`,
    close: async () => {
      server.close();
      await requests.end();
      await nextTurn();
      await Promise.all([served.clients.close(), served.requests.close()]);
      server.closeAllConnections();
    },
  };
}

const INTERNAL = {
  code: PROTOCOL_CODE.internalError,
  message: "internal error; see the stderr of the server",
};

/** By the revision of the protocol that a request is for. */
interface Served {
  readonly clients: HttpClients;
  readonly requests: HttpRequests;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly served: Served;
}

async function answer(
  { request, response, served }: Exchange,
  gate: GateInput & { readonly onAccepted: (socket: Socket) => void },
): Promise<void> {
  const refusal = checkRequest(request, gate);
  if (refusal !== undefined) return refuse(response, refusal);
  gate.onAccepted(request.socket);
  const posted = request.method === "POST" ? await readPosted(request) : { body: undefined };
  if ("refusal" in posted) return refuse(response, posted.refusal);
  const exchange = { request: toWebRequest(request, response), body: posted.body };
  const { clients, requests } = served;
  const isLegacy = await isLegacyRequest(exchange.request, posted.body);
  const answered = await (isLegacy ? clients : requests).handle(exchange);
  if (answered instanceof Response) await sendWebResponse(answered, response);
  else refuse(response, answered);
}

type Posted = { readonly body: unknown } | { readonly refusal: HttpRefusal };

async function readPosted(request: IncomingMessage): Promise<Posted> {
  const bytes = await readBody(request, MAX_MESSAGE_BYTES);
  if (bytes === undefined)
    return {
      refusal: { status: 413, code: PROTOCOL_CODE.invalidRequest, message: TOO_LONG },
    };
  const read = readMessage(bytes);
  return "invalid" in read ? { refusal: { status: 400, ...read.invalid } } : { body: read.message };
}

/** The rest of a longer body is read up to this limit, so that its sender gets to read the refusal. */
const MAX_DISCARDED_BYTES: number = 32 * 1024 * 1024;

/** Reads the body of a request; `undefined` if it is too long. */
async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Uint8Array = chunk;
    bytes += part.length;
    if (bytes > MAX_DISCARDED_BYTES) break;
    if (bytes > maxBytes) chunks.length = 0;
    else chunks.push(part);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}

function refuse(response: ServerResponse, refusal: HttpRefusal): void {
  const { status, code, message, headers = {} } = refusal;
  if (response.headersSent) {
    response.end();
    return;
  }
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body);
}

/** On one machine nothing takes long, and a slow request keeps a connection from others, with a token or without. */
const TIMEOUTS = {
  headersTimeout: 3_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 500,
};

type RequestListener = (request: IncomingMessage, response: ServerResponse, port: number) => void;

async function listen(
  port: number,
  connections: Connections,
  listener: RequestListener,
): Promise<HttpServer> {
  const server = createHttpServer(TIMEOUTS, (request, response) =>
    listener(request, response, portOf(server)),
  );
  server.on("connection", connections.add);
  server.listen(port, LOOPBACK_ADDRESS);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const reason = code === "EADDRINUSE" ? "already in use" : code;
    const message = `cannot use port ${port}: ${reason}; port 0 picks a free one`;
    throw new ServeError("PORT_UNAVAILABLE", message, { cause: error });
  }
  return server;
}

function portOf(server: HttpServer): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
