import {
  bearerToken,
  checkBodyHeaders,
  headerText,
  hostSpellings,
  type RequestHead,
} from "@caliban/common/http";

export interface GateInput {
  readonly port: number;
  /** Compares in constant time. */
  readonly isToken: (given: string) => boolean;
}

/** What a request may have: the empty document, which has no data; or the data, with the token. */
export type GateResult =
  | { readonly kind: "document" }
  | { readonly kind: "api"; readonly path: string }
  | Refusal;

export interface Refusal {
  readonly kind: "refused";
  readonly status: number;
  readonly message: string;
}

/** The most bytes of a body. A topic is at most a quarter of this, and JSON may double its size. */
export const MAX_BODY_BYTES: number = 1024 * 1024;

/** Checks the head of a request. */
export function checkHead(head: RequestHead, { port, isToken }: GateInput): GateResult {
  const { method, path, headers } = head;
  // A web page whose name resolves to this machine sends that name.
  if (!isOwnHost(headerText(headers, "host"), port)) return refused(403, "invalid Host header");
  if (path === "/") return method === "GET" ? { kind: "document" } : refused(405, "use GET");
  if (!path.startsWith(API)) return refused(404, "not found");
  if (isFromOtherSite(headers, port)) return refused(403, "requests from other pages are refused");
  if (!isToken(bearerToken(headers)))
    return refused(401, "missing or wrong token; open the page again with: caliban page");
  if (method !== "GET" && method !== "POST") return refused(405, "use GET or POST");
  if (method === "POST") {
    const problem = checkBodyHeaders(headers, MAX_BODY_BYTES);
    if (problem === "not-json") return refused(415, "the Content-Type must be application/json");
    if (problem === "too-large") return TOO_LARGE;
  }
  return { kind: "api", path: path.slice(API.length) };
}

const API = "/api/";

export const TOO_LARGE: Refusal = refused(
  413,
  `the request is larger than ${MAX_BODY_BYTES} bytes; nothing was changed`,
);

function refused(status: number, message: string): Refusal {
  return { kind: "refused", status, message };
}

function isOwnHost(host: string, port: number): boolean {
  return hostsOf(port).includes(host.toLowerCase());
}

/** A browser tells where a request comes from. Other programs need not. */
function isFromOtherSite(headers: RequestHead["headers"], port: number): boolean {
  const origin = headers["origin"];
  if (origin !== undefined) {
    const given = headerText(headers, "origin").toLowerCase();
    if (!hostsOf(port).some((host) => given === `http://${host}`)) return true;
  }
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin";
}

function hostsOf(port: number): readonly string[] {
  return hostSpellings(["127.0.0.1", "[::1]"], { port, defaultPort: 80 });
}
