import { once } from "node:events";
import type { Server } from "node:net";
import { errorCode } from "../error-code.ts";

/** A slow request keeps a connection from others. */
export const HTTP_TIMEOUTS = {
  headersTimeout: 3_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 500,
  maxHeaderSize: 8_192,
} as const;

/** Starts a server. Returns why that is not possible: `already in use`, or the code of the system. */
export async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<string | undefined> {
  server.listen(port, host);
  try {
    await once(server, "listening");
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code === "EADDRINUSE" ? "already in use" : code;
  }
}

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
