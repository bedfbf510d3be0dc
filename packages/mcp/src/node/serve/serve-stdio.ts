import { setImmediate as nextTurn } from "node:timers/promises";
import { serveStdio as serveSdkStdio } from "@modelcontextprotocol/server/stdio";
import type { MemoryServer } from "../../serve/protocol/protocol-server.ts";
import { createRequestQueue, type RequestQueue } from "../../serve/protocol/request-queue.ts";
import type { BytePipe } from "./byte-pipe.ts";
import { watchSubscriptions } from "./stdio-subscriptions.ts";
import { createStdioTransport } from "./stdio-transport.ts";

export interface ServeStdioInput {
  /**
   * Creates the server. It must run its requests in the given queue. Called again if a client first tries a newer revision
   * of the protocol than it speaks.
   */
  readonly createServer: (requests: RequestQueue) => MemoryServer;
  /** Receives one-line messages for the operator of the server. They are dropped without it. */
  readonly report?: ((message: string) => void) | undefined;
  /** stdin and stdout: `createBytePipe(process)`. */
  readonly pipe: BytePipe;
  /** Ends the server early when it resolves. */
  readonly interrupted?: Promise<unknown> | undefined;
}

/**
 * Serves one client on stdin and stdout, until the input ends or the server is interrupted. Requests that were read
 * before the input ended are answered. Resolves with what ended it.
 *
 * @example
 * import { setTimeout as delay } from "node:timers/promises";
 * import { createMemoryServer } from "@caliban/mcp";
 * import { createBytePipe, serveStdio } from "@caliban/mcp/node";
 * import { createMapTopicStore } from "@caliban/memory";
 *
 * const store = createMapTopicStore();
 * await serveStdio({
 *   pipe: createBytePipe(process),
 *   createServer: (requests) => createMemoryServer({ store, requests }),
 *   interrupted: delay(100), // leave this out to serve until the client disconnects
 * });
 */
export async function serveStdio(input: ServeStdioInput): Promise<"ended" | "interrupted"> {
  const { createServer, pipe, report = () => undefined, interrupted = NEVER } = input;
  const requests = createRequestQueue(pipe.hasRoom);
  const transport = createStdioTransport({ pipe, hasRoom: requests.hasRoom });
  let current: MemoryServer | undefined;
  const serving = serveSdkStdio(() => (current = createServer(requests)), {
    transport: watchSubscriptions(transport, () => current),
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: ({ message }) => report(`ignored an invalid message from the client: ${message}`),
  });
  const outcome = await Promise.race([
    transport.ended.then(() => "ended" as const),
    interrupted.then(() => "interrupted" as const),
  ]);
  // The last request read starts a moment later, and is answered unless the server is interrupted.
  await nextTurn();
  await Promise.race([requests.idle(), interrupted]);
  await requests.end();
  await nextTurn();
  await serving.close();
  return outcome;
}

/** Each has a list of resources of its own. */
const MAX_SUBSCRIPTIONS = 64;

const NEVER = new Promise<never>(() => undefined);
