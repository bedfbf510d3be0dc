import type { ClientRequest } from "node:http";
import { type Environment, isLoopback } from "@caliban/common";

export interface TransportInput {
  /** Proxy settings; Node reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY from it. */
  readonly proxyEnv: NodeJS.ProcessEnv | undefined;
  /** Certificates to trust instead of Node's own, for tests. */
  readonly ca?: string | undefined;
}

interface TransportOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts a request over connections that are reused. */
export type Transport = (url: URL, options: TransportOptions) => ClientRequest;

export interface OpenTransportInput {
  readonly env: Environment;
  readonly ca?: string | undefined;
}

/** Opens the transport for a URL, and loads only the module for its protocol. */
export async function openTransport(url: URL, input: OpenTransportInput): Promise<Transport> {
  // A proxy could not reach a model on this machine.
  const proxyEnv = isLoopback(url) ? undefined : proxyVariables(input.env);
  if (url.protocol === "https:") {
    const { createHttpsTransport } = await import("./https-transport.ts");
    return createHttpsTransport({ proxyEnv, ca: input.ca });
  }
  const { createHttpTransport } = await import("./http-transport.ts");
  return createHttpTransport({ proxyEnv });
}

const PROXY_VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

function proxyVariables(env: Environment): NodeJS.ProcessEnv | undefined {
  const set = PROXY_VARIABLES.filter((name) => (env[name] ?? "") !== "");
  if (set.every((name) => name.toUpperCase() === "NO_PROXY")) return undefined;
  return Object.fromEntries(set.map((name) => [name, env[name]]));
}
