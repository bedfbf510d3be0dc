import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";
import type { WebAccess } from "../../src/node/tool-workspace.ts";

/** An address of the public internet that represents the server of a test. */
export const PUBLIC_ADDRESS = "93.184.216.34";

export interface WebServer extends Required<Pick<WebAccess, "resolveHost" | "connect">> {
  /** The addresses that were connected to. */
  readonly connected: readonly string[];
}

/** Starts a server on loopback that answers for every public address. Names without an entry are public. */
export async function webServer(
  listener: RequestListener,
  names: Readonly<Record<string, readonly string[]>> = {},
): Promise<WebServer> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connected: string[] = [];
  return {
    connected,
    resolveHost: async (host) => names[host] ?? [PUBLIC_ADDRESS],
    connect: ({ address }) => {
      connected.push(address);
      return connect({ host: "127.0.0.1", port });
    },
  };
}
