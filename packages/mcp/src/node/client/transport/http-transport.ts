import { setTimeout as delay } from "node:timers/promises";
import {
  type AuthProvider,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createUnsolicitedGuard } from "../../../client/flood-guard.ts";
import type { ClientLimits } from "../../../client/client-limits.ts";
import type { McpTransport } from "../../../client/mcp-server.ts";
import { ServerFailure } from "../../../client/server-failure.ts";
import { createBoundedFetch } from "../../http/bounded-fetch.ts";
import type { ServerTransport } from "./server-transport.ts";

export interface HttpTransportInput {
  readonly transport: Extract<McpTransport, { readonly kind: "http" }>;
  readonly limits: ClientLimits;
  readonly now: () => number;
  /** Sends the token of a login. */
  readonly authProvider?: AuthProvider | undefined;
}

/** Streamable HTTP of the SDK, which follows no redirect to another origin, with limits on what comes back. */
export function createHttpTransport(input: HttpTransportInput): ServerTransport {
  const { transport, limits, now, authProvider } = input;
  let reason: ServerFailure | undefined;
  const cutOff = (failure: ServerFailure): void => {
    if (reason !== undefined) return;
    reason = failure;
    void end();
  };
  const inner = new StreamableHTTPClientTransport(new URL(transport.url), {
    requestInit: { headers: { ...transport.headers } },
    ...(authProvider === undefined ? {} : { authProvider }),
    fetch: createBoundedFetch({ fetch, limits, now, onCutOff: cutOff }),
  });
  const end = inner.close.bind(inner);
  const send = inner.send.bind(inner);
  const unsolicited = createUnsolicitedGuard(limits, now);
  return Object.assign(inner, {
    // The SDK calls this before its own handler.
    onmessage: (message: JSONRPCMessage) => {
      if (!unsolicited.isFlood(message)) return;
      cutOff(new ServerFailure("CUT_OFF", "sent too many messages"));
    },
    send: async (...[message, options]: Parameters<typeof send>) => {
      for (const each of [message].flat()) unsolicited.sent(each);
      await send(message, options);
    },
    close: async () => {
      const terminated = inner.terminateSession().catch(() => undefined);
      await Promise.race([terminated, delay(limits.closeMs, undefined, { ref: false })]);
      await end();
    },
    reason: () => reason,
    kill: () => void end(),
  });
}
