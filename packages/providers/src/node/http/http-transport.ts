import { Agent, request } from "node:http";
import type { Transport, TransportInput } from "./transport.ts";

/** Sends requests without encryption: to models on this machine, or to a gateway on it. */
export function createHttpTransport({ proxyEnv }: TransportInput): Transport {
  // A Node version without this option ignores the proxy.
  const proxies = proxyEnv === undefined ? {} : { proxyEnv };
  const agent = new Agent({ keepAlive: true, ...proxies });
  return (url, options) => request(url, { ...options, agent });
}
