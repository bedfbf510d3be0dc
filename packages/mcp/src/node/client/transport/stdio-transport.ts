import { isRecord, parseJson } from "@caliban/common";
import { INTERNAL_ERROR, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/core";
import { createUnsolicitedGuard, type UnsolicitedGuard } from "../../../client/flood-guard.ts";
import type { ClientLimits } from "../../../client/client-limits.ts";
import type { McpTransport } from "../../../client/mcp-server.ts";
import { ServerFailure } from "../../../client/server-failure.ts";
import { createLineSplitter } from "./line-splitter.ts";
import {
  endServerProcess,
  killDescendants,
  onServerEnd,
  type ServerProcess,
  startServerProcess,
} from "./server-process.ts";
import type { ServerTransport } from "./server-transport.ts";

export interface StdioTransportInput {
  readonly transport: Extract<McpTransport, { readonly kind: "stdio" }>;
  readonly limits: ClientLimits;
  readonly now: () => number;
}

/** How much may be buffered for a server that does not read. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/**
 * A server as a child process with one message per line. The SDK's own transport is not used, because it adds to the
 * environment, leaves the server's descendants behind, and accepts any number of messages.
 */
export function createStdioTransport(input: StdioTransportInput): ServerTransport {
  const { limits } = input;
  const unsolicited = createUnsolicitedGuard(limits, input.now);
  let running: ServerProcess | undefined;
  let reason: ServerFailure | undefined;
  let isClosed = false;
  let isClosing = false;
  const close = (why?: ServerFailure): void => {
    reason ??= why;
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  };
  const cutOff = (why: string): void => {
    running?.child.stdout.destroy();
    running?.group.signal("SIGKILL");
    close(new ServerFailure("CUT_OFF", `${why} and was stopped`));
  };
  const transport: ServerTransport & ChildProcessMark = {
    stderr: null,
    pid: null,
    start: async () => {
      const started = await startServerProcess(input.transport, limits);
      running = started;
      onServerEnd(started, (failure) => {
        if (!isClosing) killDescendants(started);
        close(failure);
      });
      const receive = createReceiver({ transport, unsolicited, cutOff }, limits.messageBytes);
      running.child.stdout.on("data", (bytes: Buffer) => {
        if (!isClosed) receive(bytes);
      });
    },
    send: async (message) => {
      const stdin = running?.child.stdin;
      if (stdin === undefined || isClosed || !stdin.writable) throw reason ?? ENDED;
      if (stdin.writableLength > MAX_UNREAD_BYTES) return cutOff("does not read its input");
      unsolicited.sent(message);
      stdin.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      isClosing = true;
      if (running !== undefined) await endServerProcess(running, limits);
      close();
    },
    reason: () => reason,
    kill: () => void running?.group.signal("SIGKILL"),
  };
  return transport;
}

/** Tells the SDK that silence means an old server, and not an outage. */
interface ChildProcessMark {
  readonly stderr: null;
  readonly pid: null;
}

const ENDED = new ServerFailure("ENDED", "has ended");

interface Receiver {
  readonly transport: ServerTransport;
  readonly unsolicited: UnsolicitedGuard;
  readonly cutOff: (why: string) => void;
}

/** Turns the output of a server into messages. Anything else is ignored, as long as it is not too much. */
function createReceiver(
  { transport, unsolicited, cutOff }: Receiver,
  maxBytes: number,
): (bytes: Buffer) => void {
  let isStopped = false;
  const stop = (why: string): void => {
    isStopped = true;
    cutOff(why);
  };
  const split = createLineSplitter(maxBytes, (line) => {
    if (isStopped || line.trim() === "") return;
    const message = parseMessage(line);
    if (unsolicited.isFlood(message)) return stop("sent too many messages");
    if (message !== undefined) deliver(transport, message);
  });
  return (bytes) => {
    if (isStopped || split(bytes)) return;
    stop(`sent a message of more than ${maxBytes.toLocaleString("en-US")} bytes`);
  };
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  const json = parseJson(line);
  const { success, data } = JSONRPCMessageSchema.safeParse(json);
  return success ? data : invalidAnswer(json);
}

/** Turns an invalid answer to one of our requests into an error, so that the request fails at once. */
function invalidAnswer(json: unknown): JSONRPCMessage | undefined {
  if (!isRecord(json) || "method" in json) return undefined;
  const { id } = json;
  // The SDK asks for the revision with a text, and for everything else with a number.
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  const message = "invalid answer";
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}

/** A message that makes the SDK throw, such as one it cannot even repeat in an error, must not end the program. */
function deliver(transport: ServerTransport, message: JSONRPCMessage): void {
  try {
    transport.onmessage?.(message);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    transport.onerror?.(error);
  }
}
