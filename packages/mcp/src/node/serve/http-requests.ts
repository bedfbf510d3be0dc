import { isRecord } from "@caliban/common";
import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { PROTOCOL_CODE } from "../../serve/protocol-error.ts";
import type { MemoryServer } from "../../serve/protocol/protocol-server.ts";
import { type ResourceWatch, subscribeAll } from "../../serve/resources/watch-resources.ts";
import type { WebExchange } from "./http-clients.ts";
import type { HttpRefusal } from "./http-gate.ts";
import { subscribedAddresses } from "./stdio-subscriptions.ts";

/** Requests since 2026-07-28: each stands alone, and a client that wants to hear of changes keeps one open. */
export interface HttpRequests {
  readonly handle: (exchange: WebExchange) => Promise<Response | HttpRefusal>;
  readonly close: () => Promise<void>;
}

/** Each watches resources of its own. */
const MAX_SUBSCRIPTIONS = 64;

export function createHttpRequests(createServer: () => MemoryServer): HttpRequests {
  const subscriptions = new Set<() => Promise<void>>();
  const requests = createHandler(createServer);
  const subscribe = async ({ request, body }: WebExchange): Promise<Response | HttpRefusal> => {
    if (subscriptions.size >= MAX_SUBSCRIPTIONS) return TOO_MANY;
    const bus = new InMemoryServerEventBus();
    const server = createServer();
    const handler = createHandler(createServer, bus);
    let watch: ResourceWatch | undefined;
    const end = async (): Promise<void> => {
      subscriptions.delete(end);
      watch?.close();
      await handler.close();
    };
    subscriptions.add(end);
    request.signal.addEventListener("abort", () => void end());
    try {
      watch = await server.watch({
        notifyUpdate: async (uri) => bus.publish({ kind: "resource_updated", uri }),
        notifyList: async () => bus.publish({ kind: "resources_list_changed" }),
      });
      // Before it is confirmed, so that no later change is missed.
      await subscribeAll(watch, addressesOf(body));
      const response = await handler.fetch(request, { parsedBody: body });
      if (!isStream(response)) await end();
      return response;
    } catch (error) {
      await end();
      throw error;
    }
  };
  return {
    handle: async (exchange) =>
      isListen(exchange.body)
        ? await subscribe(exchange)
        : await requests.fetch(exchange.request, { parsedBody: exchange.body }),
    close: async () => {
      await Promise.all([...subscriptions].map((end) => end()));
      await requests.close();
    },
  };
}

function createHandler(
  createServer: () => MemoryServer,
  bus?: InMemoryServerEventBus,
): McpHttpHandler {
  return createMcpHandler(createServer, {
    legacy: "reject",
    ...(bus === undefined ? {} : { bus }),
  });
}

const TOO_MANY: HttpRefusal = {
  status: 503,
  code: PROTOCOL_CODE.internalError,
  message: `too many subscriptions (limit ${MAX_SUBSCRIPTIONS}); end some first`,
};

function isListen(body: unknown): boolean {
  return isRecord(body) && body["method"] === "subscriptions/listen";
}

function addressesOf(body: unknown): readonly string[] {
  const params = isRecord(body) ? body["params"] : undefined;
  return subscribedAddresses(isRecord(params) ? params["notifications"] : undefined);
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}
