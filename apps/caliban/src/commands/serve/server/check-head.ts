import { bearerToken, checkBodyHeaders, headerText, type RequestHead } from "@caliban/common/http";
import { type ApiAnswer, errorAnswer } from "@caliban/tools-builtin/store-api";

/** The most bytes of a body. A content has at most a quarter of this, and JSON may double its size. */
export const MAX_REQUEST_BYTES: number = 1024 * 1024;

export interface HeadCheck<Client> {
  /** Whether a Host header names this server. */
  readonly isOwnHost: (host: string) => boolean;
  /** The client with this token. */
  readonly findClient: (token: string) => Client | undefined;
}

/** Who sends a request, or why it is refused. */
export type CheckedHead<Client> =
  | { readonly kind: "client"; readonly client: Client; readonly hasBody: boolean }
  | { readonly kind: "refused"; readonly answer: ApiAnswer };

export function checkHead<Client>(
  { method, path, headers }: RequestHead,
  { isOwnHost, findClient }: HeadCheck<Client>,
): CheckedHead<Client> {
  // A web page whose name resolves to this machine sends that name.
  if (!isOwnHost(headerText(headers, "host"))) return refuse(403, "invalid Host header");
  // No web page is a client, whatever its origin is.
  if (headers["origin"] !== undefined || headers["sec-fetch-site"] !== undefined)
    return refuse(403, "requests from web pages are refused");
  const client = findClient(bearerToken(headers) || headerText(headers, "x-api-key"));
  if (client === undefined)
    return refuse(401, "missing or wrong token; make one with: caliban serve token add NAME");
  const hasBody = method === "POST" && !path.endsWith("/redact");
  const problem = hasBody ? checkBodyHeaders(headers, MAX_REQUEST_BYTES) : undefined;
  if (problem === "not-json") return refuse(415, "the Content-Type must be application/json");
  if (problem === "too-large") return { kind: "refused", answer: TOO_LARGE };
  return { kind: "client", client, hasBody };
}

export const TOO_LARGE: ApiAnswer = errorAnswer(
  "request_too_large",
  `the request is larger than ${MAX_REQUEST_BYTES} bytes; nothing was changed`,
);

function refuse(
  status: 401 | 403 | 415,
  message: string,
): { readonly kind: "refused"; readonly answer: ApiAnswer } {
  const type =
    status === 401
      ? "authentication_error"
      : status === 403
        ? "permission_error"
        : "invalid_request_error";
  return { kind: "refused", answer: { ...errorAnswer(type, message), status } };
}
