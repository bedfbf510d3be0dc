import { createLineSplitter, type InputLine } from "@caliban/common";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import {
  type InvalidMessage,
  MAX_MESSAGE_BYTES,
  readMessageLine,
} from "../../serve/protocol/read-message.ts";
import type { BytePipe } from "./byte-pipe.ts";

export interface StdioTransportInput {
  readonly pipe: BytePipe;
  /** Resolves when so few requests wait that more may be read. */
  readonly hasRoom: () => Promise<void>;
}

export interface StdioTransport extends Transport {
  /** Resolves at the end of the input. */
  readonly ended: Promise<void>;
}

/**
 * The protocol on stdin and stdout, one message per line. The SDK's own transport is not used, because it ends at a line
 * that is too long, and keeps reading while no one reads its answers.
 */
export function createStdioTransport({ pipe, hasRoom }: StdioTransportInput): StdioTransport {
  const splitter = createLineSplitter(MAX_MESSAGE_BYTES);
  const { promise: ended, resolve: end, reject } = Promise.withResolvers<void>();
  const send = async (message: object): Promise<void> => {
    await pipe.write(`${JSON.stringify(message)}\n`);
  };
  const receive = async (lines: readonly InputLine[]): Promise<void> => {
    for (const line of lines) {
      // Requests that cannot run yet must not pile up.
      await hasRoom();
      const read = readMessageLine(line);
      if (read === undefined) continue;
      // Nor must answers that no one reads.
      if ("invalid" in read) await send(errorResponse(read.invalid));
      else deliver(read.message);
    }
  };
  const deliver = (message: JSONRPCMessage): void => {
    try {
      transport.onmessage?.(message);
    } catch (error) {
      // A value can be nested so deeply that even reporting it fails. The next message is not affected.
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const readAll = async (): Promise<void> => {
    for await (const chunk of pipe.input) await receive(splitter.push(chunk));
    await receive(splitter.end());
  };
  const transport: StdioTransport = {
    ended,
    start: async () => void readAll().then(end, reject),
    send,
    close: async () => {
      pipe.close();
      transport.onclose?.();
    },
  };
  return transport;
}

function errorResponse({ id, code, message }: InvalidMessage): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
