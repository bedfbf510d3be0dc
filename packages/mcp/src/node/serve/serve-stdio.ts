import { setImmediate as nextTurn } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { createRequestQueue, type RequestQueue } from "../../serve/protocol/request-queue.ts";
import type { BytePipe } from "./byte-pipe.ts";
import { createStdioTransport } from "./stdio-transport.ts";

export interface ServeStdioInput {
  /** Creates the server. It must run its requests in the given queue. */
  readonly createServer: (requests: RequestQueue) => Server;
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
  const { createServer, pipe, interrupted = NEVER } = input;
  const requests = createRequestQueue(pipe.hasRoom);
  const transport = createStdioTransport({ pipe, hasRoom: requests.hasRoom });
  const server = createServer(requests);
  await server.connect(transport);
  const outcome = await Promise.race([
    transport.ended.then(() => "ended" as const),
    interrupted.then(() => "interrupted" as const),
  ]);
  // The last request read starts a moment later, and is answered unless the server is interrupted.
  await nextTurn();
  await Promise.race([requests.idle(), interrupted]);
  await requests.end();
  await nextTurn();
  await server.close();
  return outcome;
}

const NEVER = new Promise<never>(() => undefined);
