import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "@caliban/common";
import type { HttpRefusal } from "./http-gate.ts";
import { guardMessages } from "../../serve/message-guard.ts";
import { PROTOCOL_CODE } from "../../serve/protocol-error.ts";

/** The clients of one HTTP server, each with a connection of its own. */
export interface HttpSessions {
  /** Lets the connection of the client answer, or tells why there is none. */
  readonly handle: (exchange: HttpExchange) => Promise<HttpRefusal | undefined>;
  readonly close: () => Promise<void>;
}

interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What was posted, once it is read. */
  readonly body: unknown;
}

interface HttpSession {
  readonly transport: StreamableHTTPServerTransport;
  readonly server: Server;
}

/** Clients seldom say that they go; the one that was silent longest makes room, and may come again. */
const MOST_SESSIONS = 64;

export function createHttpSessions(createServer: () => Server): HttpSessions {
  // In the order of their last use.
  const sessions = new Map<string, HttpSession>();
  const open = async (): Promise<HttpSession> => {
    const [oldest] = sessions.values();
    if (sessions.size >= MOST_SESSIONS) await oldest?.server.close();
    const server = createServer();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
    });
    await server.connect(guardMessages(transport));
    const { onclose } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
    transport.onclose = () => {
      onclose?.();
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    return { transport, server };
  };
  const find = (id: string): HttpSession | undefined => {
    const session = sessions.get(id);
    if (session === undefined) return undefined;
    sessions.delete(id);
    sessions.set(id, session);
    return session;
  };
  return {
    handle: async ({ request, response, body }) => {
      const id = request.headers["mcp-session-id"];
      const problem = id === undefined ? openingProblem(body) : undefined;
      if (problem !== undefined) return problem;
      const session = typeof id === "string" ? find(id) : await open();
      if (session === undefined) return GONE;
      await session.transport.handleRequest(request, response, body);
      return undefined;
    },
    close: async () => {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
    },
  };
}

const GONE: HttpRefusal = {
  status: 404,
  code: PROTOCOL_CODE.invalidRequest,
  message: "There is no session of this id any more; begin with initialize.",
};

/** A session begins with one request, and everything else needs one. */
function openingProblem(body: unknown): HttpRefusal | undefined {
  if (isInitializeRequest(body)) return undefined;
  if (isRecord(body) && body["method"] === "initialize") {
    const message =
      "initialize was not run: it needs an id, and params with protocolVersion, capabilities and clientInfo.";
    return { status: 400, code: PROTOCOL_CODE.invalidParams, message };
  }
  const message = "The header Mcp-Session-Id is missing; the first request is initialize.";
  return { status: 400, code: PROTOCOL_CODE.invalidRequest, message };
}
