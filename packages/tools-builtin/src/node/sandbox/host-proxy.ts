import { once } from "node:events";
import {
  createServer,
  request,
  IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, isIP } from "node:net";
import type { Duplex } from "node:stream";
import {
  type Endpoint,
  isAllowedHost,
  isNamedHost,
  normalizeHost,
} from "../../sandbox/allowed-hosts.ts";
import type { SandboxNetwork } from "../../sandbox/sandbox-policy.ts";
import { addressKind } from "./address-kind.ts";
import { resolveBySystem } from "./resolve-host.ts";

/** The port on which commands find the proxy, where the sandbox has a loopback interface of its own. */
const PORT_INSIDE = 3128;

/** A command reaches its own servers under these names, unless the user allows the ones of this machine. */
const LOOPBACK = ["localhost", "127.0.0.1", "::1"];

export interface HostProxyInput {
  readonly allowedHosts: readonly string[];
  /** The Unix socket to listen on. Without it, a port of this machine. */
  readonly socket?: string | undefined;
  /** Finds the addresses of a host. By default, the system does. */
  readonly resolveHost?: ((host: string) => Promise<readonly string[]>) | undefined;
}

/** Starts a proxy that connects to allowed hosts only. It ends with the process, and does not keep it running. */
export async function startProxy(input: HostProxyInput): Promise<SandboxNetwork> {
  const { socket, allowedHosts } = input;
  const directHosts = LOOPBACK.filter((host) => !isNamedHost(host, allowedHosts));
  const server = createProxy(createGate(input));
  server.unref();
  if (socket !== undefined) {
    await listen(server, { path: socket });
    return { kind: "proxy", port: PORT_INSIDE, socket, directHosts };
  }
  await listen(server, { host: "127.0.0.1", port: 0 });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { kind: "proxy", port, directHosts };
}

async function listen(
  server: Server,
  options: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => resolve());
  });
}

/** Returns the address to connect to, or `undefined` if that is not allowed. */
type Gate = (endpoint: Endpoint | undefined) => Promise<string | undefined>;

/** Resolves a host once, so that the connection goes to exactly what was checked. */
function createGate({ allowedHosts, resolveHost = resolveBySystem }: HostProxyInput): Gate {
  return async (endpoint) => {
    if (endpoint === undefined || !isAllowedHost(endpoint, allowedHosts)) return undefined;
    const { host } = endpoint;
    const addresses = isIP(host) === 0 ? await resolveHost(host) : [host];
    return addresses.find((address) => isExpected(address, host, allowedHosts));
  };
}

/**
 * A public name can be made to lead to any address: to this machine, to the machine's cloud, or to the local network. A
 * name that the user wrote out may be in the local network, and a name without a dot, such as localhost, anywhere.
 */
function isExpected(address: string, host: string, allowedHosts: readonly string[]): boolean {
  const kind = addressKind(address);
  if (kind === "public") return true;
  if (!isNamedHost(host, allowedHosts)) return false;
  return kind === "private" || isIP(host) !== 0 || !host.includes(".");
}

function createProxy(gate: Gate): Server {
  // Whatever a command or a host sends, it ends the connection and nothing else.
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, gate).catch(() => outgoing.destroy());
  });
  server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnel({ target: incoming.url ?? "", socket, head }, gate).catch(() => socket.destroy());
  });
  return server;
}

interface Tunnel {
  /** `host:port` */
  readonly target: string;
  readonly socket: Duplex;
  readonly head: Buffer;
}

async function tunnel({ target, socket, head }: Tunnel, gate: Gate): Promise<void> {
  socket.on("error", () => socket.destroy());
  const endpoint = parseEndpoint(target);
  const address = await gate(endpoint);
  if (endpoint === undefined || address === undefined) {
    socket.end(`HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n${refusal(target)}`);
    return;
  }
  const upstream = connect({ host: address, port: endpoint.port }, () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n"));
  socket.on("close", () => upstream.destroy());
}

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  gate: Gate,
): Promise<void> {
  const url = parseHttpUrl(incoming.url ?? "");
  const endpoint = url && { host: normalizeHost(url.hostname), port: Number(url.port || 80) };
  const address = await gate(endpoint);
  if (url === undefined || endpoint === undefined || address === undefined) {
    outgoing.writeHead(403, { "content-type": "text/plain" }).end(refusal(incoming.url ?? ""));
    return;
  }
  const upstream = request({
    host: address,
    port: endpoint.port,
    method: incoming.method,
    path: `${url.pathname}${url.search}`,
    // The name that was checked, whatever the request says.
    headers: { ...incoming.headers, host: url.host },
    setHost: false,
  });
  upstream.on("error", () => outgoing.destroy());
  outgoing.on("close", () => upstream.destroy());
  incoming.pipe(upstream);
  const [answer] = await once(upstream, "response");
  if (!(answer instanceof IncomingMessage)) return;
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(outgoing);
}

function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" ? url : undefined;
}

function refusal(target: string): string {
  return `caliban: the sandbox does not allow ${target.slice(0, 200)}. The user can add the host to sandbox.allowed_hosts.\n`;
}

const MAX_PORT = 65_535;

function parseEndpoint(target: string): Endpoint | undefined {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(target) ?? [];
  if (host === undefined || port === undefined || Number(port) > MAX_PORT) return undefined;
  return { host: normalizeHost(host), port: Number(port) };
}
