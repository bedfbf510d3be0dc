import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isRecord } from "@caliban/common";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { PROTOCOL_CODE } from "../../serve/protocol-error.ts";
import type { HttpRefusal } from "./http-gate.ts";

/** The clients of one HTTP server, each with a server of its own. */
export interface HttpClients {
  /** Lets the client's server answer, or returns why there is none. */
  readonly handle: (exchange: HttpExchange) => Promise<HttpRefusal | undefined>;
  readonly close: () => Promise<void>;
}

interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The message that was posted. */
  readonly body: unknown;
}

interface HttpClient {
  readonly transport: StreamableHTTPServerTransport;
  readonly server: Server;
}

/** Clients rarely say goodbye. The one idle for longest makes room, and may connect again. */
const MAX_CLIENTS = 64;

export function createHttpClients(createServer: () => Server): HttpClients {
  // In the order of their last use.
  const clients = new Map<string, HttpClient>();
  const open = async (): Promise<HttpClient> => {
    const [oldest] = clients.values();
    if (clients.size >= MAX_CLIENTS) await oldest?.server.close();
    const server = createServer();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void clients.set(id, { transport, server }),
    });
    await server.connect(transport);
    const { onclose } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
    transport.onclose = () => {
      onclose?.();
      if (transport.sessionId !== undefined) clients.delete(transport.sessionId);
    };
    return { transport, server };
  };
  const find = (id: string): HttpClient | undefined => {
    const client = clients.get(id);
    if (client === undefined) return undefined;
    clients.delete(id);
    clients.set(id, client);
    return client;
  };
  return {
    handle: async ({ request, response, body }) => {
      const id = request.headers["mcp-session-id"];
      const problem = id === undefined ? checkOpening(body) : undefined;
      if (problem !== undefined) return problem;
      const client = typeof id === "string" ? find(id) : await open();
      if (client === undefined) return UNKNOWN_SESSION;
      await client.transport.handleRequest(request, response, body);
      return undefined;
    },
    close: async () => {
      await Promise.all([...clients.values()].map(({ server }) => server.close()));
    },
  };
}

const UNKNOWN_SESSION: HttpRefusal = {
  status: 404,
  code: PROTOCOL_CODE.invalidRequest,
  message: "unknown or expired session id; start again with initialize",
};

/** Without a session, only a valid `initialize` is accepted. */
function checkOpening(body: unknown): HttpRefusal | undefined {
  if (isInitializeRequest(body)) return undefined;
  if (isRecord(body) && body["method"] === "initialize") {
    const message =
      "invalid initialize request: it needs an id, and params with protocolVersion, capabilities and clientInfo";
    return { status: 400, code: PROTOCOL_CODE.invalidParams, message };
  }
  const message = "missing header Mcp-Session-Id; the first request must be initialize";
  return { status: 400, code: PROTOCOL_CODE.invalidRequest, message };
}
