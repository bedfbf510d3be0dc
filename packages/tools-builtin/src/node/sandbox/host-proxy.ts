import { mkdtempSync } from "node:fs";
import { lookup } from "node:dns/promises";
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { errorCode } from "@caliban/common/node";
import { type Endpoint, isAllowedHost, isNamedHost } from "../../sandbox/allowed-hosts.ts";
import type { SandboxNetwork } from "../../sandbox/sandbox-policy.ts";
import { addressKind } from "./address-kind.ts";

/** The port on which commands find the proxy, where the sandbox has a loopback interface of its own. */
const PORT_INSIDE = 3128;

/** Starts a proxy that connects to allowed hosts only. It ends with the process, and does not keep it running. */
export async function startProxy(
  allowedHosts: readonly string[],
  kind: "socket" | "port",
): Promise<SandboxNetwork> {
  const server = createProxy(allowedHosts);
  server.unref();
  if (kind === "port") {
    await listen(server, { host: "127.0.0.1", port: 0 });
    const address = server.address();
    return { kind: "proxy", port: typeof address === "object" ? (address?.port ?? 0) : 0 };
  }
  // Only this user can enter the directory.
  const socket = join(mkdtempSync(join(tmpdir(), "caliban-proxy-")), "socket");
  await listen(server, { path: socket });
  return { kind: "proxy", port: PORT_INSIDE, socket };
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

function createProxy(allowedHosts: readonly string[]): Server {
  const server = createServer((incoming, outgoing) => {
    void forward(incoming, outgoing, allowedHosts);
  });
  server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel({ target: incoming.url ?? "", socket, head }, allowedHosts);
  });
  return server;
}

interface Tunnel {
  /** `host:port` */
  readonly target: string;
  readonly socket: Duplex;
  readonly head: Buffer;
}

async function tunnel(
  { target, socket, head }: Tunnel,
  allowedHosts: readonly string[],
): Promise<void> {
  socket.on("error", () => socket.destroy());
  const endpoint = parseEndpoint(target);
  const address = endpoint && (await allowedAddress(endpoint, allowedHosts));
  if (endpoint === undefined || address === undefined) {
    socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${refusal(target)}`,
    );
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
  allowedHosts: readonly string[],
): Promise<void> {
  const target = incoming.url ?? "";
  const url = URL.canParse(target) ? new URL(target) : undefined;
  const endpoint =
    url?.protocol === "http:" ? { host: url.hostname, port: Number(url.port || 80) } : undefined;
  const address = endpoint && (await allowedAddress(endpoint, allowedHosts));
  if (url === undefined || endpoint === undefined || address === undefined) {
    outgoing.writeHead(403, { "content-type": "text/plain" }).end(refusal(url?.host ?? target));
    return;
  }
  const { "proxy-connection": _, ...headers } = incoming.headers;
  const upstream = request(
    {
      host: address,
      port: endpoint.port,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      // The name that was checked, whatever the request says.
      headers: { ...headers, host: url.host },
      setHost: false,
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  upstream.on("error", () => outgoing.destroy());
  outgoing.on("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

function refusal(target: string): string {
  return `caliban: the sandbox does not allow ${target.slice(0, 200)}. The user can add the host to sandbox.allowed_hosts.\n`;
}

function parseEndpoint(target: string): Endpoint | undefined {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(target) ?? [];
  if (host === undefined || port === undefined) return undefined;
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

/** Resolves an allowed host once, so that the connection goes to exactly what was checked. */
async function allowedAddress(
  endpoint: Endpoint,
  allowedHosts: readonly string[],
): Promise<string | undefined> {
  if (!isAllowedHost(endpoint, allowedHosts)) return undefined;
  const addresses = await addressesOf(endpoint.host);
  return addresses.find((address) => isExpected(address, endpoint.host, allowedHosts));
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

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    const found = await lookup(host, { all: true, order: "ipv4first" });
    return found.map(({ address }) => address);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
