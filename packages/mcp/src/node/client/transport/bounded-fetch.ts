import type { ClientLimits } from "../../../client/limits.ts";
import { createFloodGuard } from "../../../client/flood-guard.ts";
import { ServerFailure } from "../../../client/server-failure.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface BoundedFetchInput {
  readonly fetch: Fetch;
  readonly limits: ClientLimits;
  readonly now: () => number;
  /** Told what a server did too much of. */
  readonly onCutOff: (failure: ServerFailure) => void;
}

/** A stream for messages is opened anew when it ends; a server that ends it at once would keep us busy. */
const MOST_STREAMS = 10;

/** The same requests, with answers that end where they are longer than a message may be. */
export function createBoundedFetch(input: BoundedFetchInput): Fetch {
  const { limits, now, onCutOff } = input;
  const tooOften = createFloodGuard({ most: MOST_STREAMS, withinMs: limits.unsolicitedMs, now });
  return async (url, init) => {
    if (init?.method === "GET" && tooOften()) {
      throw new ServerFailure("CUT_OFF", "it ends its stream of messages again and again");
    }
    const response = await input.fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const tooLong = (): ServerFailure => {
      const words = `it sent a message of more than ${limits.messageBytes.toLocaleString("en-US")} bytes`;
      const failure = new ServerFailure("CUT_OFF", words);
      onCutOff(failure);
      return failure;
    };
    const body = response.body.pipeThrough(
      boundedBytes({ maxBytes: limits.messageBytes, isStream, tooLong }),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

/** Of a stream each event counts for itself: it ends with an empty line. */
function boundedBytes(input: {
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
