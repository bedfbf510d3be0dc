import { randomUUID } from "node:crypto";
import { isRecord } from "@caliban/common";
import {
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { PROTOCOL_CODE } from "../../serve/protocol-error.ts";
import type { MemoryServer } from "../../serve/protocol/protocol-server.ts";
import type { HttpRefusal } from "./http-gate.ts";

/** Clients from before 2026-07-28: each has a session, and a server of its own. */
export interface HttpClients {
  /** Lets the client's server answer, or returns why there is none. */
  readonly handle: (exchange: WebExchange) => Promise<Response | HttpRefusal>;
  readonly close: () => Promise<void>;
}

export interface WebExchange {
  readonly request: Request;
  /** The message that was posted. */
  readonly body: unknown;
}

interface HttpClient {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: MemoryServer;
}

/** Clients rarely say goodbye. The one idle for longest makes room, and may connect again. */
const MAX_CLIENTS = 64;

export function createHttpClients(createServer: () => MemoryServer): HttpClients {
  // In the order of their last use.
  const clients = new Map<string, HttpClient>();
  const open = async (): Promise<HttpClient> => {
    const [oldest] = clients.values();
    if (clients.size >= MAX_CLIENTS) await oldest?.server.close();
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
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
    handle: async ({ request, body }) => {
      const id = request.headers.get("mcp-session-id");
      const problem = id === null ? checkOpening(body) : undefined;
      if (problem !== undefined) return problem;
      const client = id === null ? await open() : find(id);
      if (client === undefined) return UNKNOWN_SESSION;
      return await client.transport.handleRequest(request, { parsedBody: body });
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
