import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { BytePipe } from "../../../../../apps/caliban/src/process/byte-pipe.ts";
import { createLineSplitter, type SplitLine } from "./line-splitter.ts";
import { type BadMessage, MAX_MESSAGE_BYTES, readMessageLine } from "../../serve/read-message.ts";

export interface StdioTransportInput {
  readonly pipe: BytePipe;
  /** Resolves when so few requests wait that more may be read. */
  readonly hasRoom: () => Promise<void>;
}

export interface StdioTransport extends Transport {
  /** Resolves when the input is at its end. */
  readonly ended: Promise<void>;
}

/**
 * The protocol on stdin and stdout, one message a line. The one of the SDK ends with a line that is too long, and
 * reads on while nobody reads its answers.
 */
export function createStdioTransport({ pipe, hasRoom }: StdioTransportInput): StdioTransport {
  const splitter = createLineSplitter(MAX_MESSAGE_BYTES);
  const { promise: ended, resolve: end, reject } = Promise.withResolvers<void>();
  const send = async (message: object): Promise<void> => {
    await pipe.write(`${JSON.stringify(message)}\n`);
  };
  const take = async (lines: readonly SplitLine[]): Promise<void> => {
    for (const line of lines) {
      // oxlint-disable-next-line no-await-in-loop -- what cannot be worked on yet is not to pile up
      await hasRoom();
      const read = readMessageLine(line);
      if (read === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- nor is what nobody reads
      if ("bad" in read) await send(errorAnswer(read.bad));
      else deliver(read.message);
    }
  };
  const deliver = (message: JSONRPCMessage): void => {
    try {
      transport.onmessage?.(message);
    } catch (error) {
      // A value may be nested so deep that even telling about it fails; the next message is another one.
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const readAll = async (): Promise<void> => {
    for await (const chunk of pipe.input) await take(splitter.push(chunk));
    await take(splitter.end());
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

/** What is answered to something that is no message. */
function errorAnswer({ id, code, message }: BadMessage): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
