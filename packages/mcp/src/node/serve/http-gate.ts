import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { PROTOCOL_CODE } from "../../serve/protocol-error.ts";

/** Where the protocol is spoken. */
export const HTTP_PATH = "/mcp";

/** What is looked at before anything of a request is read. */
export interface GatedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface GateInput {
  readonly port: number;
  readonly token: string;
}

/** Why a request is not let in, with what HTTP and JSON-RPC call it. */
export interface HttpRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const METHODS = ["POST", "GET", "DELETE"];

/** Decides over a request by what stands in its head; `undefined` lets it in. */
export function refusalOf(
  { method = "", url = "", headers }: GatedRequest,
  { port, token }: GateInput,
): HttpRefusal | undefined {
  // A page of the web whose name leads to this machine sends its own name.
  if (!isLoopback(headers.host, port)) {
    return refused(403, "The Host header does not name this server: use 127.0.0.1 and the port.");
  }
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, port)) {
    return refused(403, "Requests of web pages are not answered.");
  }
  if (url.split("?", 1)[0] !== HTTP_PATH) {
    return refused(404, `There is nothing here; the protocol is spoken at ${HTTP_PATH}.`);
  }
  if (!isTokenOf(headers.authorization, token)) {
    const headersOfRefusal = { "www-authenticate": 'Bearer realm="caliban"' };
    const message = "The bearer token is missing or wrong; the server says on stderr where it is.";
    return { ...refused(401, message), headers: headersOfRefusal };
  }
  if (!METHODS.includes(method)) {
    const message = `${METHODS.join(", ")} are answered here.`;
    return { ...refused(405, message), headers: { allow: METHODS.join(", ") } };
  }
  if (method === "POST" && !isJson(headers["content-type"])) {
    return refused(415, "The Content-Type must be application/json.");
  }
  return undefined;
}

function refused(status: number, message: string): HttpRefusal {
  return { status, code: PROTOCOL_CODE.invalidRequest, message };
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

function isLoopback(host: string | undefined, port: number): boolean {
  return hostsOf(port).includes(host?.toLowerCase() ?? "");
}

function isOwnOrigin(origin: string, port: number): boolean {
  return hostsOf(port).some((host) => origin.toLowerCase() === `http://${host}`);
}

/** The port of plain HTTP is left out by those who know it. */
function hostsOf(port: number): readonly string[] {
  return LOOPBACK.flatMap((name) =>
    port === 80 ? [name, `${name}:${port}`] : [`${name}:${port}`],
  );
}

/** In constant time: over hashes, which are of one length. */
function isTokenOf(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(sha256(given), sha256(token));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}
