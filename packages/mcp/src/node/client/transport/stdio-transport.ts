import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { isRecord, parseJson } from "@caliban/common";
import type { ClientLimits } from "../../../client/limits.ts";
import { createLineSplitter } from "./line-splitter.ts";
import type { McpTransport } from "../../../client/mcp-server.ts";
import {
  killDescendants,
  endServerProcess,
  onServerEnd,
  type ServerProcess,
  startServerProcess,
} from "./server-process.ts";
import type { ServerTransport } from "../failure-of.ts";
import { ServerFailure } from "../../../client/server-failure.ts";
import { createUnsolicitedGuard, type UnsolicitedGuard } from "../../../client/flood-guard.ts";


export interface StdioTransportInput {
  readonly transport: Extract<McpTransport, { readonly kind: "stdio" }>;
  readonly limits: ClientLimits;
  readonly now: () => number;
}

/** How much may wait for a server that does not read. */
const UNREAD_BYTES = 32 * 1024 * 1024;

/**
 * A server as a process, one message a line. Not the SDK's own transport: that one adds to the environment, leaves what
 * the server started behind, and puts no bound to how many messages it takes.
 */
export function createStdioTransport(input: StdioTransportInput): ServerTransport {
  const { limits } = input;
  const unasked = createUnsolicitedGuard(limits, input.now);
  let running: ServerProcess | undefined;
  let reason: ServerFailure | undefined;
  let isClosed = false;
  let isOurEnd = false;
  const close = (why?: ServerFailure): void => {
    reason ??= why;
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  };
  const cutOff = (why: string): void => {
    running?.child.stdout.destroy();
    running?.group.signal("SIGKILL");
    close(new ServerFailure("CUT_OFF", `${why}, and was ended`));
  };
  const transport: ServerTransport = {
    start: async () => {
      const started = await startServerProcess(input.transport, limits);
      running = started;
      onServerEnd(started, (failure) => {
        if (!isOurEnd) killDescendants(started);
        close(failure);
      });
      const take = createReader({ transport, unasked, cutOff }, limits.messageBytes);
      running.child.stdout.on("data", (bytes: Buffer) => {
        if (!isClosed) take(bytes);
      });
    },
    send: async (message) => {
      const stdin = running?.child.stdin;
      if (stdin === undefined || isClosed || !stdin.writable) throw reason ?? GONE;
      if (stdin.writableLength > UNREAD_BYTES) return cutOff("it does not read what it is sent");
      unasked.sent(message);
      stdin.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      isOurEnd = true;
      if (running !== undefined) await endServerProcess(running, limits);
      close();
    },
    reason: () => reason,
    kill: () => void running?.group.signal("SIGKILL"),
  };
  return transport;
}

const GONE = new ServerFailure("ENDED", "it has ended");

interface Reader {
  readonly transport: ServerTransport;
  readonly unasked: UnsolicitedGuard;
  readonly cutOff: (why: string) => void;
}

/** Makes messages of what a server prints. What is none is passed over, as long as it is not too much. */
function createReader(
  { transport, unasked, cutOff }: Reader,
  maxBytes: number,
): (bytes: Buffer) => void {
  let isOver = false;
  const stop = (why: string): void => {
    isOver = true;
    cutOff(why);
  };
  const split = createLineSplitter(maxBytes, (line) => {
    if (isOver || line.trim() === "") return;
    const message = parseMessage(line);
    if (unasked.isFlood(message)) return stop("it sent more messages than anybody can read");
    if (message !== undefined) deliver(transport, message);
  });
  return (bytes) => {
    if (isOver || split(bytes)) return;
    stop(`it sent a message of more than ${maxBytes.toLocaleString("en-US")} bytes`);
  };
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  const json = parseJson(line);
  const { success, data } = JSONRPCMessageSchema.safeParse(json);
  return success ? data : badAnswer(json);
}

/** An answer to something of ours that is none: whoever waits for it is told at once. */
function badAnswer(json: unknown): JSONRPCMessage | undefined {
  if (!isRecord(json) || "method" in json) return undefined;
  const { id } = json;
  if (typeof id !== "number") return undefined;
  const message = "its answer is not what the protocol has";
  return { jsonrpc: "2.0", id, error: { code: ErrorCode.InternalError, message } };
}

/** What the SDK cannot take, such as an answer that it cannot even repeat in an error, must not end the program. */
function deliver(transport: ServerTransport, message: JSONRPCMessage): void {
  try {
    transport.onmessage?.(message);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    transport.onerror?.(error);
  }
}
