import { Agent, request } from "node:https";
import type { Transport, TransportInput } from "./transport.ts";

/** Requests with encryption, checked against the certificates that Node trusts. */
export function createHttpsTransport({ proxyEnv, ca }: TransportInput): Transport {
  // A Node that does not know this option yet goes without a proxy.
  const proxies = proxyEnv === undefined ? {} : { proxyEnv };
  const agent = new Agent({ keepAlive: true, ca, ...proxies });
  return (url, options) => request(url, { ...options, agent });
}
