import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { PROTOCOL_CODE } from "../../serve/protocol-error.ts";

/** The path of the endpoint. */
export const HTTP_PATH = "/mcp";

/** The part of a request that is checked before its body is read. */
export interface GatedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface GateInput {
  readonly port: number;
  readonly token: string;
}

/** Why a request is refused, in terms of HTTP and JSON-RPC. */
export interface HttpRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const METHODS = ["POST", "GET", "DELETE"];

/** Checks the head of a request; `undefined` accepts it. */
export function checkRequest(
  { method = "", url = "", headers }: GatedRequest,
  { port, token }: GateInput,
): HttpRefusal | undefined {
  // A web page whose name resolves to this machine sends that name.
  if (!isLoopbackHost(headers.host, port))
    return refusal(403, `invalid Host header; use 127.0.0.1:${port}`);
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, port))
    return refusal(403, "requests from web pages are not allowed");
  if (url.split("?", 1)[0] !== HTTP_PATH)
    return refusal(404, `not found; the endpoint is ${HTTP_PATH}`);
  if (!hasToken(headers.authorization, token)) {
    const message = "missing or wrong bearer token; the server prints its location on stderr";
    return {
      ...refusal(401, message),
      headers: { "www-authenticate": 'Bearer realm="caliban"' },
    };
  }
  if (!METHODS.includes(method)) {
    const allowed = METHODS.join(", ");
    return { ...refusal(405, `method not allowed; use ${allowed}`), headers: { allow: allowed } };
  }
  if (method === "POST" && !isJson(headers["content-type"]))
    return refusal(415, "the Content-Type must be application/json");
  return undefined;
}

function refusal(status: number, message: string): HttpRefusal {
  return { status, code: PROTOCOL_CODE.invalidRequest, message };
}

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

function isLoopbackHost(host: string | undefined, port: number): boolean {
  return hostsOf(port).includes(host?.toLowerCase() ?? "");
}

function isOwnOrigin(origin: string, port: number): boolean {
  return hostsOf(port).some((host) => origin.toLowerCase() === `http://${host}`);
}

/** Clients leave out the default port of HTTP. */
function hostsOf(port: number): readonly string[] {
  return LOOPBACK_NAMES.flatMap((name) =>
    port === 80 ? [name, `${name}:${port}`] : [`${name}:${port}`],
  );
}

/** Compares hashes, which have one length, in constant time. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(sha256(given), sha256(token));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}
