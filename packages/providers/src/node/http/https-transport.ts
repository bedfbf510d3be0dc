import { Agent, request } from "node:https";
import type { Transport, TransportInput } from "./transport.ts";

/** Sends encrypted requests, verified against the certificates that Node trusts. */
export function createHttpsTransport({ proxyEnv, ca }: TransportInput): Transport {
  // A Node version without this option ignores the proxy.
  const proxies = proxyEnv === undefined ? {} : { proxyEnv };
  const agent = new Agent({ keepAlive: true, ca, ...proxies });
  return (url, options) => request(url, { ...options, agent });
}
