import type { ClientRequest, IncomingMessage } from "node:http";
import { readBody } from "./body-stream.ts";
import { LeanHeaders } from "./lean-headers.ts";
import { RequestError } from "./request-error.ts";
import { openTransport, type OpenTransportInput, type Transport } from "./transport.ts";

export interface LeanFetchInput extends OpenTransportInput {
  readonly connectTimeoutMs?: number;
  /** How long a server may stay silent; a local model may think for minutes before its first token. */
  readonly idleTimeoutMs?: number;
}

/**
 * The part of `fetch` that the AI SDK's providers need, on Node's own HTTP client: a JSON body out, a stream back (see
 * README.md for why). Redirects are refused, because they would forward the key.
 */
export function createLeanFetch(input: LeanFetchInput): typeof fetch {
  const transports = new Map<string, Promise<Transport>>();
  const transportFor = async (url: URL): Promise<Transport> => {
    const opened = transports.get(url.origin) ?? openTransport(url, input);
    transports.set(url.origin, opened);
    return await opened;
  };
  return async (target, init = {}) => {
    const request = readRequest(target, init);
    const transport = await transportFor(request.url);
    return await sendWithRetry(transport, request, input);
  };
}

interface PlainRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
}

function readRequest(target: string | URL | Request, init: RequestInit): PlainRequest {
  const { body, headers, method = "GET", signal } = init;
  const isPlainBody = typeof body === "string" || body instanceof Uint8Array || body == null;
  const isPlainTarget = typeof target === "string" || target instanceof URL;
  const isPlainHeaders = headers === undefined || !(Symbol.iterator in headers);
  if (!isPlainBody || !isPlainTarget || !isPlainHeaders) {
    throw new RequestError("UNSUPPORTED", "only a text or bytes can be sent, to a plain URL");
  }
  return {
    url: new URL(target),
    method,
    headers: sentHeaders(headers ?? {}),
    body: body ?? undefined,
    signal: signal ?? undefined,
  };
}

/** Drops empty headers: they belong to a key that is not set. */
function sentHeaders(
  headers: Readonly<Record<string, string | readonly string[]>>,
): Readonly<Record<string, string>> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => !/^(?:Bearer)?\s*$/.test(value)));
}

/** Sends again over a new connection when the server closed a reused one before it saw the request. */
async function sendWithRetry(
  transport: Transport,
  request: PlainRequest,
  limits: LeanFetchInput,
): Promise<Response> {
  const first = start(transport, request);
  try {
    return await responseTo(first, request, limits);
  } catch (error) {
    if (!first.reusedSocket || !isReset(error) || request.signal?.aborted === true) throw error;
    return await responseTo(start(transport, request), request, limits);
  }
}

function start(transport: Transport, { url, method, headers }: PlainRequest): ClientRequest {
  return transport(url, { method, headers });
}

function isReset(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(?:ECONNRESET|EPIPE)$/.test(String(error.code))
  );
}

async function responseTo(
  request: ClientRequest,
  { url, body, signal }: PlainRequest,
  limits: LeanFetchInput,
): Promise<Response> {
  let reason: Error | undefined;
  const abort = (error: Error): void => {
    reason ??= error;
    request.destroy(error);
  };
  abortOnSignal(request, signal, abort);
  limitTime(request, { url, limits, abort });
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve);
    // Stays attached: later failures are reported by the body.
    request.on("error", reject);
    if (reason === undefined) request.end(body);
  });
  refuseRedirect(incoming, url);
  const maxBytes = isSuccess(incoming) ? MAX_BYTES : MAX_ERROR_BYTES;
  const stream = await readBody(incoming, { abortReason: () => reason, maxBytes });
  return toResponse(incoming, { url, body: stream });
}

/** Far more than any model answer; without a limit a server could fill the memory. */
const MAX_BYTES = 48 * 1024 * 1024;
const MAX_ERROR_BYTES = 1024 * 1024;

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

type Abort = (error: Error) => void;

function abortOnSignal(
  request: ClientRequest,
  signal: AbortSignal | undefined,
  abort: Abort,
): void {
  if (signal === undefined) return;
  const onAbort = (): void => {
    const cause: unknown = signal.reason;
    abort(cause instanceof Error ? cause : new DOMException("Aborted.", "AbortError"));
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  request.once("close", () => {
    signal.removeEventListener("abort", onAbort);
  });
}

function limitTime(
  request: ClientRequest,
  input: { readonly url: URL; readonly limits: LeanFetchInput; readonly abort: Abort },
): void {
  const { url, limits, abort } = input;
  const { connectTimeoutMs = 15_000, idleTimeoutMs = 600_000 } = limits;
  request.setTimeout(idleTimeoutMs, () => {
    const seconds = idleTimeoutMs / 1000;
    abort(new RequestError("ETIMEDOUT", `${url.host} sent nothing for ${seconds} seconds`));
  });
  request.once("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      const seconds = connectTimeoutMs / 1000;
      abort(
        new RequestError("ETIMEDOUT", `no connection to ${url.host} within ${seconds} seconds`),
      );
    }, connectTimeoutMs);
    const clear = (): void => {
      clearTimeout(timer);
    };
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", clear);
    request.once("close", clear);
  });
}

function refuseRedirect(incoming: IncomingMessage, url: URL): void {
  const { statusCode = 0, headers } = incoming;
  if (statusCode < 300 || statusCode > 399) return;
  incoming.destroy();
  const target = headers.location === undefined ? "elsewhere" : `to ${headers.location}`;
  throw new RequestError(
    "REDIRECTED",
    `${url.origin} redirects ${target}; redirects are not followed, because they would forward your key. Set base_url to the right address`,
  );
}

function toResponse(
  incoming: IncomingMessage,
  { url, body }: { readonly url: URL; readonly body: ReadableStream<Uint8Array> },
): Response {
  const { statusCode = 0, statusMessage = "" } = incoming;
  const pairs = Object.entries(incoming.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")] as const,
  );
  const response = {
    ok: isSuccess(incoming),
    status: statusCode,
    statusText: statusMessage,
    url: url.href,
    redirected: false,
    headers: LeanHeaders(pairs),
    body,
  };
  // The members that the AI SDK's response handlers use; a real Response would load Node's fetch.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return response as unknown as Response;
}
