import type { ClientRequest, IncomingMessage } from "node:http";
import { readBody } from "./body-stream.ts";
import { LeanHeaders } from "./lean-headers.ts";
import { RequestError } from "./request-error.ts";
import { openTransport, type OpenTransportInput, type Transport } from "./transport.ts";

export interface LeanFetchInput extends OpenTransportInput {
  readonly connectTimeoutMs?: number;
  /** How long a server may say nothing at all; a local model may think for minutes before its first word. */
  readonly idleTimeoutMs?: number;
}

/**
 * A `fetch` for the AI SDK's providers on Node's own HTTP client: a JSON body out, a stream back. The global one takes
 * longer to load than the rest of a first request. Redirects are refused, because the key would go with them.
 */
export function createLeanFetch(input: LeanFetchInput): typeof fetch {
  const transports = new Map<string, Promise<Transport>>();
  const transportFor = async (url: URL): Promise<Transport> => {
    const opened = transports.get(url.origin) ?? openTransport(url, input);
    transports.set(url.origin, opened);
    return await opened;
  };
  return async (target, init = {}) => {
    const wish = readWish(target, init);
    const transport = await transportFor(wish.url);
    return await sendTwice(transport, wish, input);
  };
}

interface Wish {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
}

function readWish(target: string | URL | Request, init: RequestInit): Wish {
  const { body, headers, method = "GET", signal } = init;
  const isPlainBody = typeof body === "string" || body instanceof Uint8Array || body == null;
  const isPlainTarget = typeof target === "string" || target instanceof URL;
  const isPlainHeaders = headers === undefined || !(Symbol.iterator in headers);
  if (!isPlainBody || !isPlainTarget || !isPlainHeaders) {
    throw new RequestError("UNSUPPORTED", "only texts and bytes can be sent here, to a plain URL");
  }
  return {
    url: new URL(target),
    method,
    headers: sentHeaders(headers ?? {}),
    body: body ?? undefined,
    signal: signal ?? undefined,
  };
}

/** An empty header is that of a key which is not there. */
function sentHeaders(
  headers: Readonly<Record<string, string | readonly string[]>>,
): Readonly<Record<string, string>> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => !/^(?:Bearer)?\s*$/.test(value)));
}

/** A kept connection may have been closed at the other end just now, before it saw anything; then a new one is made. */
async function sendTwice(
  transport: Transport,
  wish: Wish,
  limits: LeanFetchInput,
): Promise<Response> {
  const first = begin(transport, wish);
  try {
    return await answerTo(first, wish, limits);
  } catch (error) {
    if (!first.reusedSocket || !isReset(error) || wish.signal?.aborted === true) throw error;
    return await answerTo(begin(transport, wish), wish, limits);
  }
}

function begin(transport: Transport, { url, method, headers }: Wish): ClientRequest {
  return transport(url, { method, headers });
}

function isReset(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(?:ECONNRESET|EPIPE)$/.test(String(error.code))
  );
}

async function answerTo(
  request: ClientRequest,
  { url, body, signal }: Wish,
  limits: LeanFetchInput,
): Promise<Response> {
  let reason: Error | undefined;
  const stop = (error: Error): void => {
    reason ??= error;
    request.destroy(error);
  };
  stopOnAbort(request, signal, stop);
  limitTime(request, { url, limits, stop });
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve);
    // Stays: what fails later is told by the body.
    request.on("error", reject);
    if (reason === undefined) request.end(body);
  });
  refuseRedirect(incoming, url);
  const mostBytes = isSuccess(incoming) ? MOST_BYTES : MOST_BYTES_OF_ERROR;
  const answer = await readBody(incoming, { stopped: () => reason, mostBytes });
  return toResponse(incoming, { url, body: answer });
}

/** Far more than a model says at once; what sends more would fill the memory. */
const MOST_BYTES = 48 * 1024 * 1024;
const MOST_BYTES_OF_ERROR = 1024 * 1024;

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

type Stop = (error: Error) => void;

function stopOnAbort(request: ClientRequest, signal: AbortSignal | undefined, stop: Stop): void {
  if (signal === undefined) return;
  const abort = (): void => {
    const cause: unknown = signal.reason;
    stop(cause instanceof Error ? cause : new DOMException("This was stopped.", "AbortError"));
  };
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  request.once("close", () => {
    signal.removeEventListener("abort", abort);
  });
}

function limitTime(
  request: ClientRequest,
  input: { readonly url: URL; readonly limits: LeanFetchInput; readonly stop: Stop },
): void {
  const { url, limits, stop } = input;
  const { connectTimeoutMs = 15_000, idleTimeoutMs = 600_000 } = limits;
  request.setTimeout(idleTimeoutMs, () => {
    const seconds = idleTimeoutMs / 1000;
    stop(new RequestError("ETIMEDOUT", `${url.host} said nothing for ${seconds} seconds`));
  });
  request.once("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      const seconds = connectTimeoutMs / 1000;
      stop(new RequestError("ETIMEDOUT", `no connection to ${url.host} within ${seconds} seconds`));
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
  const goal = headers.location === undefined ? "elsewhere" : `to ${headers.location}`;
  throw new RequestError(
    "REDIRECTED",
    `${url.origin} redirects ${goal}, which is not followed, because your key would go there too; set base_url to the right address`,
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
  // The members that the AI SDK's response handlers use; a real Response would load what this file is there to avoid.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return response as unknown as Response;
}
