import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { createBoundedFetch } from "./bounded-fetch.ts";
import type { ClientLimits } from "../../../client/limits.ts";
import type { McpTransport } from "../../../client/mcp-server.ts";
import { ServerFailure } from "../../../client/server-failure.ts";
import type { ServerTransport } from "../failure-of.ts";
import { createUnsolicitedGuard } from "../../../client/flood-guard.ts";

export interface HttpTransportInput {
  readonly transport: Extract<McpTransport, { readonly kind: "http" }>;
  readonly limits: ClientLimits;
  readonly now: () => number;
}

/** Streamable HTTP by the SDK, which follows no redirect to another place; what comes back is bounded here. */
export function createHttpTransport(input: HttpTransportInput): ServerTransport {
  const { transport, limits, now } = input;
  let reason: ServerFailure | undefined;
  const cutOff = (failure: ServerFailure): void => {
    if (reason !== undefined) return;
    reason = failure;
    void end();
  };
  const inner = new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers: { ...transport.headers } },
    fetch: createBoundedFetch({ fetch, limits, now, onCutOff: cutOff }),
  });
  const end = inner.close.bind(inner);
  const send = inner.send.bind(inner);
  const unasked = createUnsolicitedGuard(limits, now);
  return Object.assign(inner, {
    // The SDK calls it before its own.
    onmessage: (message: JSONRPCMessage) => {
      if (!unasked.isFlood(message)) return;
      cutOff(new ServerFailure("CUT_OFF", "it sent more messages than anybody can read"));
    },
    send: async (...[message, options]: Parameters<typeof send>) => {
      for (const each of [message].flat()) unasked.sent(each);
      await send(message, options);
    },
    close: async () => {
      const ended = inner.terminateSession().catch(() => undefined);
      await Promise.race([ended, pause(limits.closeMs)]);
      await end();
    },
    reason: () => reason,
    kill: () => void end(),
  });
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
