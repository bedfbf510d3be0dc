import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

/** A request of Node without its body as one of the web platform, which is aborted when the client goes away. */
export function toWebRequest(request: IncomingMessage, response: ServerResponse): Request {
  const aborter = new AbortController();
  response.once("close", () => aborter.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item);
  }
  return new Request(`http://127.0.0.1${request.url ?? "/"}`, {
    method: request.method ?? "GET",
    headers,
    signal: aborter.signal,
  });
}

/** Sends a response of the web platform, as fast as the client reads it. */
export async function sendWebResponse(from: Response, response: ServerResponse): Promise<void> {
  response.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body === null) {
    response.end();
    return;
  }
  // A stream for notifications may be silent for long.
  response.flushHeaders();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same class, declared twice
  const body = Readable.fromWeb(from.body as NodeReadableStream);
  try {
    await pipeline(body, response);
  } catch (error) {
    // The client went away.
    if (!response.destroyed) throw error;
  }
}
