import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { RequestError } from "./request-error.ts";

export interface ReadBodyInput {
  /** Tells why the body was ended from here, when it was. */
  readonly stopped: () => Error | undefined;
  /** How long the body may be once it is decompressed. */
  readonly mostBytes: number;
}

/**
 * The body of an answer as a web stream. It closes only when the body is whole: a connection that is lost in the middle
 * is an error, never an end. A body that is too long is an error too, and its connection is closed.
 */
export async function readBody(
  incoming: IncomingMessage,
  { stopped, mostBytes }: ReadBodyInput,
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
        controller.error(stopped() ?? error);
      });
    };
    source.on("data", (chunk: Uint8Array) => {
      if (isOver) return;
      readBytes += chunk.byteLength;
      if (readBytes > mostBytes) {
        fail(tooLong(mostBytes));
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
    // The last of them all; it tells something new only when the source was destroyed without a reason.
    source.once("close", () => {
      fail(lostConnection());
    });
    source.pause();
    // What happened before nobody hears again.
    if (source.destroyed) fail(source.errored ?? lostConnection());
  };
  const cancel = (): void => {
    isOver = true;
    incoming.destroy();
  };
  return new ReadableStream<Uint8Array>(
    { start, pull: () => void source.resume(), cancel },
    { highWaterMark: MOST_WAITING_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

const MOST_WAITING_BYTES = 64 * 1024;

function tooLong(mostBytes: number): RequestError {
  const sentence = `the answer is longer than ${mostBytes / 1024 / 1024} MiB, so it was broken off`;
  return new RequestError("TOO_LONG", sentence, mostBytes);
}

function lostConnection(): Error {
  return Object.assign(new Error("the connection was lost in the middle of the answer"), {
    code: "ECONNRESET",
  });
}

async function decoded(incoming: IncomingMessage): Promise<Readable> {
  const encoding = incoming.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return incoming;
  const { createDecoder } = await import("./body-decoder.ts");
  const decoder = createDecoder(encoding);
  const passOn = (): void => {
    if (!incoming.readableEnded) decoder.destroy(incoming.errored ?? lostConnection());
  };
  // It may have been lost while the decoder was loaded.
  if (incoming.destroyed) passOn();
  incoming.once("error", passOn).once("close", passOn);
  return incoming.pipe(decoder);
}
