import { isRecord } from "@caliban/common";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ClientLimits } from "../../client/client-limits.ts";
import type { McpServer } from "../../client/mcp-server.ts";
import type { ServerFailure } from "../../client/server-failure.ts";
import { toServerFailure } from "./to-server-failure.ts";
import { createHttpTransport } from "./transport/http-transport.ts";
import type { ServerTransport } from "./transport/server-transport.ts";
import { createStdioTransport } from "./transport/stdio-transport.ts";

/** How long a request may take, and what interrupts it. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A connected server. Its answers are returned unchecked. */
export interface Connection {
  readonly offers: (what: "tools" | "resources") => boolean;
  /** Fetches all pages up to a limit, and keeps only what `convert` makes of each. @throws ServerFailure */
  readonly list: <Converted>(
    what: "tools" | "resources",
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
}

/** Starts or reaches a server, and initializes the protocol. @throws ServerFailure */
export async function connect(input: ConnectInput): Promise<Connection> {
  const { limits, version } = input;
  const transport = createTransport(input);
  input.onTransport(transport);
  const client = new Client(
    { name: "caliban", version },
    { jsonSchemaValidator: { getValidator: refuseSchemas } },
  );
  client.setNotificationHandler(ToolListChangedNotificationSchema, input.onToolsChanged);
  try {
    await client.connect(transport, { timeout: limits.startMs });
  } catch (error) {
    // Read before closing, which would be a reason as well.
    const reason = transport.reason();
    await transport.close();
    throw toServerFailure(error, { method: "initialize", reason, isInterrupted: false });
  }
  let isClosing = false;
  const onclose = (): void => {
    const context = { method: "", reason: transport.reason(), isInterrupted: false };
    if (!isClosing) input.onEnd(toServerFailure(undefined, context));
  };
  Object.assign(client, { onclose });
  const request = createRequest(client, transport);
  return {
    offers: (what) => client.getServerCapabilities()?.[what] !== undefined,
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

function createTransport({ server, limits, now }: ConnectInput): ServerTransport {
  const { transport } = server;
  return transport.kind === "stdio"
    ? createStdioTransport({ transport, limits, now })
    : createHttpTransport({ transport, limits, now });
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
