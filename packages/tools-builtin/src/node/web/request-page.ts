import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect, isIP, Socket } from "node:net";
import type { Readable } from "node:stream";
import { normalizeHost } from "../../sandbox/allowed-hosts.ts";
import { FileToolError } from "../file-tool-error.ts";
import type { WebAccess } from "../tool-workspace.ts";
import { parseWebUrl, publicAddresses } from "./check-url.ts";

/** A page as the server sent it, decompressed. */
export interface FetchedPage {
  /** After redirects. */
  readonly url: URL;
  readonly contentType: string;
  readonly body: Buffer;
}

const MAX_REDIRECTS = 5;
const MAX_BODY_BYTES = 5_000_000;

/**
 * Fetches a page, and follows redirects within its host. A redirect to another host is reported, because a permission
 * is about one host.
 */
export async function requestPage(
  start: URL,
  access: WebAccess,
  signal: AbortSignal,
): Promise<FetchedPage> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await sendRequest(url, access, signal);
    const location = redirectTarget(response);
    if (location === undefined) return await readPage(url, response);
    response.destroy();
    url = await nextUrl(parseWebUrl(location, url), url, access);
  }
  throw new FileToolError(
    "REDIRECTED",
    `${start.href} redirects more than ${MAX_REDIRECTS} times.`,
  );
}

async function nextUrl(next: URL, from: URL, access: WebAccess): Promise<URL> {
  if (normalizeHost(next.hostname) === normalizeHost(from.hostname)) return next;
  // Checked here as well: the model is not sent to an address that the next call would refuse.
  await publicAddresses(next, access);
  throw new FileToolError(
    "REDIRECTED",
    `${from.href} redirects to another host. To follow it, fetch ${next.href.slice(0, 2_000)}`,
  );
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectTarget({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return REDIRECTS.has(statusCode) ? headers.location : undefined;
}

const HEADERS = {
  "user-agent": "caliban",
  accept: "text/markdown, text/html;q=0.9, text/*;q=0.8, */*;q=0.5",
  "accept-encoding": "gzip, br, deflate",
  connection: "close",
};

async function sendRequest(
  url: URL,
  access: WebAccess,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const socket = await openConnection(url, access, signal);
  const outgoing = request({
    createConnection: () => socket,
    path: `${url.pathname}${url.search}`,
    headers: { ...HEADERS, host: url.host },
    setHost: false,
    signal,
  });
  outgoing.on("error", ignoreLater);
  const answered = once(outgoing, "response", { signal });
  outgoing.end();
  const [response]: IncomingMessage[] = await answered;
  if (response === undefined) throw new Error("a response event without a response");
  return response;
}

/** Connects to an address that was checked, and to no other one. */
async function openConnection(url: URL, access: WebAccess, signal: AbortSignal): Promise<Socket> {
  const { connect: open = connectDirectly } = access;
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  let failure: unknown;
  for (const address of await publicAddresses(url, access)) {
    const socket = open({ address, port });
    if (!(socket instanceof Socket))
      throw new TypeError("connect must return a Socket of node:net");
    const abort = (): void => void socket.destroy();
    socket.on("error", ignoreLater);
    signal.addEventListener("abort", abort);
    socket.once("close", () => signal.removeEventListener("abort", abort));
    try {
      await once(socket, "connect", { signal });
      return url.protocol === "https:" ? await secure(socket, url, signal) : socket;
    } catch (error) {
      socket.destroy();
      failure = error;
      if (signal.aborted) break;
    }
  }
  throw failure;
}

/** A later error has no one to report it to: the caller that waits for an event gets the error of that event. */
function ignoreLater(): void {}

function connectDirectly({ address, port }: { address: string; port: number }): Socket {
  return connect({ host: address, port });
}

/** The certificate must be for the name in the URL, not for the address. */
async function secure(socket: Socket, url: URL, signal: AbortSignal): Promise<Socket> {
  const { connect: connectTls } = await import("node:tls");
  const host = normalizeHost(url.hostname);
  const name = isIP(host) === 0 ? { servername: host } : {};
  const secured = connectTls({ socket, host, ...name, ALPNProtocols: ["http/1.1"] });
  secured.on("error", ignoreLater);
  await once(secured, "secureConnect", { signal });
  return secured;
}

async function readPage(url: URL, response: IncomingMessage): Promise<FetchedPage> {
  const { statusCode = 0, statusMessage = "", headers } = response;
  if (statusCode < 200 || statusCode > 299) {
    response.destroy();
    throw new FileToolError(
      "HTTP_STATUS",
      `${url.href} answered ${`${statusCode} ${statusMessage}`.trim()}.`,
    );
  }
  const contentType = headers["content-type"] ?? "";
  try {
    if (Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge(url);
    const body = await readBody(await decompress(response), url);
    return { url, contentType, body };
  } finally {
    response.destroy();
  }
}

/** Counts decompressed bytes, because a small response can become a huge one. */
async function readBody(stream: Readable, url: URL): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw tooLarge(url);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function decompress(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (!["gzip", "x-gzip", "br", "deflate"].includes(encoding)) return response;
  const { createBrotliDecompress, createUnzip } = await import("node:zlib");
  const decoder = encoding === "br" ? createBrotliDecompress() : createUnzip();
  // A connection that breaks must end the decoder, too.
  response.once("error", (error) => decoder.destroy(error));
  decoder.once("close", () => response.destroy());
  return response.pipe(decoder);
}

function tooLarge(url: URL): FileToolError {
  return new FileToolError(
    "TOO_LARGE",
    `${url.href} is larger than ${MAX_BODY_BYTES / 1_000_000} MB and was not read. Fetch a smaller page.`,
  );
}
