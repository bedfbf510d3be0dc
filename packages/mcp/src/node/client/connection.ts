import { isRecord } from "@caliban/common";
import { Client } from "@modelcontextprotocol/client";
import { ResultSchema } from "@modelcontextprotocol/core";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/core/ext/skills";
import type { ClientLimits } from "../../client/client-limits.ts";
import type { McpServer } from "../../client/mcp-server.ts";
import { ServerFailure } from "../../client/server-failure.ts";
import { createConnectionAuth } from "../login/connection-auth.ts";
import type { LoginStore } from "../login/login-store.ts";
import { toServerFailure } from "./to-server-failure.ts";
import { createHttpTransport } from "./transport/http-transport.ts";
import type { ServerTransport } from "./transport/server-transport.ts";
import { createStdioTransport } from "./transport/stdio-transport.ts";

/** How long a request may take, and what interrupts it. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a server may have a list of. */
type Listable = "tools" | "resources" | "skills";

/** A connected server. Its answers are returned unchecked. */
export interface Connection {
  readonly offers: (what: Listable) => boolean;
  /** Fetches all pages up to a limit, and keeps only what `convert` makes of each. @throws ServerFailure */
  readonly list: <Converted>(
    what: Listable,
    convert: (items: readonly unknown[]) => Converted,
  ) => Promise<ListedPages<Converted>>;
  /** @throws ServerFailure */
  readonly call: (
    tool: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
    limits: RequestLimits,
  ) => Promise<unknown>;
  /** @throws ServerFailure */
  readonly read: (uri: string, limits: RequestLimits) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

interface ListedPages<Converted> {
  readonly pages: readonly Converted[];
  /** Whether there were more pages than were fetched. */
  readonly isIncomplete: boolean;
}

export interface ConnectionEvents {
  /** Called once if the connection ends without being closed from here. */
  readonly onEnd: (failure: ServerFailure) => void;
  /** Called before anything is started, with the means to end it whatever happens. */
  readonly onTransport: (transport: Pick<ServerTransport, "close" | "kill">) => void;
}

export interface ConnectInput extends ConnectionEvents {
  readonly server: McpServer;
  readonly version: string;
  readonly limits: ClientLimits;
  readonly now: () => number;
  readonly onToolsChanged: () => void;
  /** The server is known to be from before 2026-07-28, so that it is not asked for its revision. */
  readonly isOld?: boolean | undefined;
  /** The login to the server. Without it, the server gets no token but the one of its headers. */
  readonly login?: LoginStore | undefined;
}

/**
 * Starts or reaches a server, and agrees on a revision of the protocol: 2026-07-28, or with an older server what it
 * speaks.
 * @throws ServerFailure
 */
export async function connect(input: ConnectInput): Promise<Connection> {
  const { limits, version, isOld = false } = input;
  const transport = createTransport(input);
  input.onTransport(transport);
  const client = new Client(
    { name: "caliban", version },
    {
      jsonSchemaValidator: { getValidator: refuseSchemas },
      inputRequired: { autoFulfill: false },
      versionNegotiation: {
        mode: isOld ? "legacy" : "auto",
        probe: { timeoutMs: limits.startMs / PROBE_SHARE },
      },
    },
  );
  client.setNotificationHandler("notifications/tools/list_changed", input.onToolsChanged);
  let isInitializing = isOld;
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    isInitializing ||= "method" in message && message.method === "initialize";
    await send(message, options);
  };
  try {
    await client.connect(transport, { timeout: limits.startMs });
  } catch (error) {
    // Read before closing, which would be a reason as well.
    const reason = transport.reason();
    await transport.close();
    const failure = toServerFailure(error, { method: "initialize", reason, isInterrupted: false });
    if (failure.code !== "ENDED" || isInitializing) throw failure;
    throw new ServerFailure("ENDED_AT_PROBE", failure.message, { cause: failure });
  }
  if (client.getProtocolEra() === "modern") listenForTools(client);
  let isClosing = false;
  const onclose = (): void => {
    const context = { method: "", reason: transport.reason(), isInterrupted: false };
    if (!isClosing) input.onEnd(toServerFailure(undefined, context));
  };
  Object.assign(client, { onclose });
  const request = createRequest(client, transport);
  return {
    offers: (what) => {
      const capabilities = client.getServerCapabilities();
      return what === "skills"
        ? capabilities?.extensions?.[SKILLS_EXTENSION_ID] !== undefined
        : capabilities?.[what] !== undefined;
    },
    list: async (what, convert) =>
      await listAll(async (params) => {
        const result = await request(`${what}/list`, params, { timeoutMs: limits.listMs });
        return pageOf(result, what, convert);
      }),
    call: ({ name, input: given }, within) =>
      request("tools/call", { name, arguments: given }, within),
    read: (uri, within) => request("resources/read", { uri }, within),
    close: async () => {
      isClosing = true;
      await transport.close();
    },
  };
}

/** Of the time to start: how long a program may take to say which revision it speaks. An old one may say nothing. */
const PROBE_SHARE = 5;

/** Since 2026-07-28, changes are sent only on request. A server that refuses is asked again with the next session. */
function listenForTools(client: Client): void {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  client.listen({ toolsListChanged: true }).catch(() => undefined);
}

type Request = (
  method: string,
  params: Record<string, unknown>,
  limits: RequestLimits,
) => Promise<unknown>;

/** Accepts any object as the result, so that one invalid part does not invalidate the rest. */
function createRequest(client: Client, transport: ServerTransport): Request {
  return async (method, params, { timeoutMs, signal }) => {
    try {
      return await client.request({ method, params }, ResultSchema, {
        timeout: timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      const isInterrupted = signal?.aborted === true;
      throw toServerFailure(error, { method, reason: transport.reason(), isInterrupted });
    }
  };
}

function createTransport({ server, limits, now, login }: ConnectInput): ServerTransport {
  const { name, transport } = server;
  if (transport.kind === "stdio") return createStdioTransport({ transport, limits, now });
  const { clientId } = transport;
  const authProvider = login && createConnectionAuth({ server: name, store: login, clientId });
  return createHttpTransport({ transport, limits, now, authProvider });
}

/** Compiling a schema would run code that the server wrote. */
function refuseSchemas(): never {
  throw new Error("schemas of servers are never compiled");
}

/** A longer list only serves to keep us busy. */
const MAX_PAGES = 32;

interface Page<Converted> {
  readonly converted: Converted;
  readonly nextCursor: string | undefined;
}

function pageOf<Converted>(
  result: unknown,
  what: string,
  convert: (items: readonly unknown[]) => Converted,
): Page<Converted> {
  const fields = isRecord(result) ? result : {};
  const items: unknown = fields[what];
  const cursor = fields["nextCursor"];
  return {
    // Cloned, because a substring would keep the whole answer in memory.
    converted: structuredClone(convert(Array.isArray(items) ? items : [])),
    nextCursor: typeof cursor === "string" && cursor !== "" ? cursor : undefined,
  };
}

async function listAll<Converted>(
  fetchPage: (params: Record<string, unknown>) => Promise<Page<Converted>>,
): Promise<ListedPages<Converted>> {
  const pages: Converted[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (pages.length < MAX_PAGES) {
    const { converted, nextCursor } = await fetchPage(cursor === undefined ? {} : { cursor });
    pages.push(converted);
    if (nextCursor === undefined || seen.has(nextCursor)) return { pages, isIncomplete: false };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return { pages, isIncomplete: true };
}
