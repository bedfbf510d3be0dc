import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { RequestError } from "./request-error.ts";

export interface ReadBodyInput {
  /** Why this side aborted the body, if it did. */
  readonly abortReason: () => Error | undefined;
  /** The limit for the decompressed body. */
  readonly maxBytes: number;
}

/**
 * The body of a response as a web stream. It closes only when the body is complete: a lost connection is an error, never
 * an end. A body over the limit is an error too, and its connection is closed.
 */
export async function readBody(
  incoming: IncomingMessage,
  { abortReason, maxBytes }: ReadBodyInput,
): Promise<ReadableStream<Uint8Array>> {
  const source = await decoded(incoming);
  let isOver = false;
  let readBytes = 0;
  const end = (finish: () => void): void => {
    if (!isOver) finish();
    isOver = true;
  };
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const fail = (error: Error): void => {
      end(() => {
        controller.error(abortReason() ?? error);
      });
    };
    source.on("data", (chunk: Uint8Array) => {
      if (isOver) return;
      readBytes += chunk.byteLength;
      if (readBytes > maxBytes) {
        fail(tooLong(maxBytes));
        incoming.destroy();
        source.destroy();
        return;
      }
      controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if ((controller.desiredSize ?? 0) <= 0) source.pause();
    });
    source.once("end", () => {
      end(() => {
        controller.close();
      });
    });
    source.on("error", fail);
    // Comes last; it matters only when the source was destroyed without an error.
    source.once("close", () => {
      fail(lostConnection());
    });
    source.pause();
    // Events from before these listeners were added are not repeated.
    if (source.destroyed) fail(source.errored ?? lostConnection());
  };
  const cancel = (): void => {
    isOver = true;
    incoming.destroy();
  };
  return new ReadableStream<Uint8Array>(
    { start, pull: () => void source.resume(), cancel },
    { highWaterMark: MAX_BUFFERED_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

const MAX_BUFFERED_BYTES = 64 * 1024;

function tooLong(maxBytes: number): RequestError {
  const message = `the response is longer than ${maxBytes / 1024 / 1024} MiB and was aborted`;
  return new RequestError("TOO_LONG", message, maxBytes);
}

function lostConnection(): Error {
  return Object.assign(new Error("the connection was lost in the middle of the response"), {
    code: "ECONNRESET",
  });
}

async function decoded(incoming: IncomingMessage): Promise<Readable> {
  const encoding = incoming.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return incoming;
  const { createDecoder } = await import("./body-decoder.ts");
  const decoder = createDecoder(encoding);
  const forwardError = (): void => {
    if (!incoming.readableEnded) decoder.destroy(incoming.errored ?? lostConnection());
  };
  // The connection may have been lost while the decoder was loaded.
  if (incoming.destroyed) forwardError();
  incoming.once("error", forwardError).once("close", forwardError);
  return incoming.pipe(decoder);
}
