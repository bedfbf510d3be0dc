import { createFloodGuard } from "../../client/flood-guard.ts";
import type { ClientLimits } from "../../client/client-limits.ts";
import { ServerFailure } from "../../client/server-failure.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface BoundedFetchInput {
  readonly fetch: Fetch;
  readonly limits: ClientLimits;
  readonly now: () => number;
  /** Called when a server exceeds a limit. */
  readonly onCutOff: (failure: ServerFailure) => void;
}

/** The SDK reopens a message stream when it ends, so a server that ends it at once would keep us busy. */
const MAX_STREAMS = 10;

/** Wraps `fetch` so that responses end when a message exceeds the limit. */
export function createBoundedFetch(input: BoundedFetchInput): Fetch {
  const { limits, now, onCutOff } = input;
  const isTooOften = createFloodGuard({ max: MAX_STREAMS, withinMs: limits.unsolicitedMs, now });
  return async (url, init) => {
    if (init?.method === "GET" && isTooOften())
      throw new ServerFailure("CUT_OFF", "ended its message stream too often");
    const response = await input.fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const tooLong = (): ServerFailure => {
      const message = `sent a message of more than ${limits.messageBytes.toLocaleString("en-US")} bytes`;
      const failure = new ServerFailure("CUT_OFF", message);
      onCutOff(failure);
      return failure;
    };
    const body = response.body.pipeThrough(
      limitBytes({ maxBytes: limits.messageBytes, isStream, tooLong }),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

/** In a stream, each event counts on its own; an empty line ends it. */
function limitBytes(input: {
  readonly maxBytes: number;
  readonly isStream: boolean;
  readonly tooLong: () => ServerFailure;
}): TransformStream<Uint8Array, Uint8Array> {
  const { maxBytes, isStream, tooLong } = input;
  let count = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform: (chunk, controller) => {
      for (const byte of isStream ? chunk : []) {
        const isLineEnd = byte === 0x0a || byte === 0x0d;
        count = isLineEnd && isLineEmpty ? 0 : count + 1;
        isLineEmpty = isLineEnd;
        if (count > maxBytes) throw tooLong();
      }
      if (!isStream) count += chunk.length;
      if (count > maxBytes) throw tooLong();
      controller.enqueue(chunk);
    },
  });
}
