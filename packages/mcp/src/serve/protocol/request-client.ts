import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isRecord } from "@caliban/common";
import { showsForms } from "../approval.ts";

/** The client that sent a request, as far as the request or the start of the connection says. */
export interface RequestClient {
  /** The name that it gives itself. */
  readonly name: string | undefined;
  /** Whether each request stands alone, as since 2026-07-28. */
  readonly isStateless: boolean;
  /** Whether it can ask its user a question. */
  readonly canAsk: boolean;
}

export function requestClient(
  server: Pick<Server, "getClientVersion" | "getClientCapabilities">,
  { mcpReq: { envelope } }: ServerContext,
): RequestClient {
  if (envelope === undefined) {
    return {
      name: server.getClientVersion()?.name,
      isStateless: false,
      canAsk: showsForms(server.getClientCapabilities()),
    };
  }
  const fields: Readonly<Record<string, unknown>> = { ...envelope };
  const info = fields[CLIENT_INFO_META_KEY];
  const name = isRecord(info) ? info["name"] : undefined;
  return {
    name: typeof name === "string" ? name : undefined,
    isStateless: true,
    canAsk: showsForms(fields[CLIENT_CAPABILITIES_META_KEY]),
  };
}
