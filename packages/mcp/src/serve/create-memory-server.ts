import type { AgentStore, MemoryToolsInput } from "@caliban/tools-builtin";
import { openMemory } from "./open-memory.ts";
import { createProtocolServer, type MemoryServer } from "./protocol/protocol-server.ts";
import { createRequestQueue, type RequestQueue } from "./protocol/request-queue.ts";
import type { WatchMemory } from "./served-memory.ts";

/** What `createMemoryServer` serves. */
export interface MemoryServerInput {
  readonly store: AgentStore;
  /** What MemorySearch searches. The topics of the store by default. */
  readonly search?: MemoryToolsInput["search"];
  /** Lets clients read, but change nothing. */
  readonly isReadOnly?: boolean | undefined;
  /** Calls back after changes of the store. Without it, subscribed resources are polled. */
  readonly watch?: WatchMemory | undefined;
  /** The name that clients see; `memory` by default. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** Limits how many requests run at once. Share one between the servers of several clients. */
  readonly requests?: RequestQueue | undefined;
  /** Receives one-line messages for the operator of the server. They are dropped without it. */
  readonly report?: ((message: string) => void) | undefined;
}

/**
 * Creates a server of the Model Context Protocol for one client. It offers the topics of a store as resources, and the
 * tools to read, write and search them. Connect it to any transport of the SDK, or pass a function that creates it to
 * `serveStdio` or `serveHttp`, which speak every revision of the protocol since 2025-06-18.
 *
 * @example
 * import { createMemoryServer } from "@caliban/mcp";
 * import { createMapTopicStore } from "@caliban/memory";
 * import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
 *
 * const server = createMemoryServer({ store: createMapTopicStore() });
 * const [near, far] = InMemoryTransport.createLinkedPair();
 * await server.connect(far);
 *
 * const client = new Client({ name: "example", version: "1.0.0" });
 * await client.connect(near);
 * const { tools } = await client.listTools();
 * console.log(tools.map(({ name }) => name)); // [ 'ReadMemoryTopic', 'WriteMemoryTopic', 'MemorySearch' ]
 * await client.close();
 */
export function createMemoryServer(input: MemoryServerInput): MemoryServer {
  if (input?.store === undefined) throw new TypeError("createMemoryServer requires a store");
  const { name = "memory", version, isReadOnly = false, requests = createRequestQueue() } = input;
  const report = input.report ?? (() => undefined);
  return createProtocolServer({
    name,
    title: name,
    version,
    instructions: { name, isReadOnly },
    open: async () =>
      openMemory({ ...input, readOnlyBy: isReadOnly ? "read-only" : undefined, report }),
    requests,
    report,
  });
}
