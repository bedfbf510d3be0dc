import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isRecord } from "@caliban/common";
import { showsApps } from "../app/memory-app.ts";
import { showsForms } from "../approval.ts";

/** The client that sent a request, as far as the request or the start of the connection says. */
export interface RequestClient {
  /** The name that it gives itself. */
  readonly name: string | undefined;
  /** Whether each request stands alone, as since 2026-07-28. */
  readonly isStateless: boolean;
  /** Whether it can ask its user a question. */
  readonly canAsk: boolean;
  /** Whether it shows pages of servers. */
  readonly showsApps: boolean;
}

type ConnectedServer = Pick<Server, "getClientVersion" | "getClientCapabilities">;

/** A client that said who it is at the start, as before 2026-07-28. */
export function connectedClient(server: ConnectedServer): RequestClient {
  return {
    name: server.getClientVersion()?.name,
    isStateless: false,
    ...capable(server.getClientCapabilities()),
  };
}

export function requestClient(
  server: ConnectedServer,
  { mcpReq: { envelope } }: ServerContext,
): RequestClient {
  if (envelope === undefined) return connectedClient(server);
  const fields: Readonly<Record<string, unknown>> = { ...envelope };
  const info = fields[CLIENT_INFO_META_KEY];
  const name = isRecord(info) ? info["name"] : undefined;
  return {
    name: typeof name === "string" ? name : undefined,
    isStateless: true,
    ...capable(fields[CLIENT_CAPABILITIES_META_KEY]),
  };
}

function capable(capabilities: unknown): Pick<RequestClient, "canAsk" | "showsApps"> {
  return { canAsk: showsForms(capabilities), showsApps: showsApps(capabilities) };
}
