import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "@caliban/common";
import type { ClientLimits } from "../../client/limits.ts";
import { toServerFailure, type ServerTransport } from "./failure-of.ts";
import { createHttpTransport } from "./transport/http-transport.ts";
import type { McpServer } from "../../client/mcp-server.ts";
import type { ServerFailure } from "../../client/server-failure.ts";

import { createStdioTransport } from "./transport/stdio-transport.ts";

/** How long a request may take, and what ends it before. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A server that answers. Whatever it gives back is as it came, and nobody has looked at it. */
export interface Connection {
  readonly offers: (what: "tools" | "resources") => boolean;
  /** All pages as far as there is an end to them; of each only what is made of it stays. @throws ServerFailure */
  readonly list: <Made>(
    what: "tools" | "resources",
    make: (items: readonly unknown[]) => Made,
  ) => Promise<ListedPages<Made>>;
  /** @throws ServerFailure */
  readonly call: (
    tool: { readonly name: string; readonly input: Readonly<Record<string, unknown>> },
    limits: RequestLimits,
  ) => Promise<unknown>;
  /** @throws ServerFailure */
  readonly read: (uri: string, limits: RequestLimits) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

interface ListedPages<Made> {
  readonly pages: readonly Made[];
  /** Whether there was more than was asked for. */
  readonly isCut: boolean;
}

export interface ConnectInput {
  readonly server: McpServer;
  readonly version: string;
  readonly limits: ClientLimits;
  readonly now: () => number;
  readonly onToolsChanged: () => void;
  /** Told once when it ends without being closed from here. */
  readonly onEnd: (failure: ServerFailure) => void;
  /** Told before anything is started: what ends it again, whatever comes of it. */
  readonly onTransport: (transport: Pick<ServerTransport, "close" | "kill">) => void;
}

/** Starts a server, or reaches it, and introduces us. @throws ServerFailure */
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
    // Before it is closed from here, which would be a reason as well.
    const reason = transport.reason();
    await transport.close();
    throw toServerFailure(error, { what: "initialize", reason, isInterrupted: false });
  }
  let isOurEnd = false;
  const onclose = (): void => {
    const context = { what: "", reason: transport.reason(), isInterrupted: false };
    if (!isOurEnd) input.onEnd(toServerFailure(undefined, context));
  };
  Object.assign(client, { onclose });
  const request = createRequest(client, transport);
  return {
    offers: (what) => client.getServerCapabilities()?.[what] !== undefined,
    list: async (what, make) =>
      await listAll(async (params) => {
        const result = await request(`${what}/list`, params, { timeoutMs: limits.listMs });
        return pageOf(result, what, make);
      }),
    call: ({ name, input: given }, within) =>
      request("tools/call", { name, arguments: given }, within),
    read: (uri, within) => request("resources/read", { uri }, within),
    close: async () => {
      isOurEnd = true;
      await transport.close();
    },
  };
}

type Request = (
  method: string,
  params: Record<string, unknown>,
  limits: RequestLimits,
) => Promise<unknown>;

/** The result is taken as any object: what is wrong with a part of it costs that part. */
function createRequest(client: Client, transport: ServerTransport): Request {
  return async (method, params, { timeoutMs, signal }) => {
    try {
      return await client.request({ method, params }, ResultSchema, {
        timeout: timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      const isInterrupted = signal?.aborted === true;
      throw toServerFailure(error, { what: method, reason: transport.reason(), isInterrupted });
    }
  };
}

function createTransport({ server, limits, now }: ConnectInput): ServerTransport {
  const { transport } = server;
  return transport.kind === "stdio"
    ? createStdioTransport({ transport, limits, now })
    : createHttpTransport({ transport, limits, now });
}

/** Whoever compiles a schema of a server runs what the server wrote: it is not done. */
function refuseSchemas(): never {
  throw new Error("no schema of a server is compiled");
}

/** More pages than this are no list but a way to keep us busy. */
const MOST_PAGES = 32;

interface Page<Made> {
  readonly made: Made;
  readonly next: string | undefined;
}

function pageOf<Made>(
  result: unknown,
  what: string,
  make: (items: readonly unknown[]) => Made,
): Page<Made> {
  const fields = isRecord(result) ? result : {};
  const found: unknown = fields[what];
  const next = fields["nextCursor"];
  return {
    // A part of a long text would keep all of it in memory.
    made: structuredClone(make(Array.isArray(found) ? found : [])),
    next: typeof next === "string" && next !== "" ? next : undefined,
  };
}

async function listAll<Made>(
  page: (params: Record<string, unknown>) => Promise<Page<Made>>,
): Promise<ListedPages<Made>> {
  const pages: Made[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (pages.length < MOST_PAGES) {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    const { made, next } = await page(cursor === undefined ? {} : { cursor });
    pages.push(made);
    if (next === undefined || seen.has(next)) return { pages, isCut: false };
    seen.add(next);
    cursor = next;
  }
  return { pages, isCut: true };
}
