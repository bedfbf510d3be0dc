import { Agent, request } from "node:http";
import type { Transport, TransportInput } from "./transport.ts";

/** Requests without encryption: models on this machine, or behind a gateway on it. */
export function createHttpTransport({ proxyEnv }: TransportInput): Transport {
  // A Node that does not know this option yet goes without a proxy.
  const proxies = proxyEnv === undefined ? {} : { proxyEnv };
  const agent = new Agent({ keepAlive: true, ...proxies });
  return (url, options) => request(url, { ...options, agent });
}
