import { idAtEnds, type InputLine, isRecord, parseJson } from "@caliban/common";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/core";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { PROTOCOL_CODE } from "../protocol-error.ts";

/** The longest message that is read; four times the size of the largest topic. */
export const MAX_MESSAGE_BYTES: number = 1024 * 1024;

/** The response to an invalid message. JSON-RPC wants the id, or null if there is none. */
export interface InvalidMessage {
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
}

export type ReadMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly invalid: InvalidMessage };

/** Reads one line of the protocol; `undefined` for a blank one. */
export function readMessageLine(line: InputLine): ReadMessage | undefined {
  if (line.kind === "too-long") {
    const id = idAtEnds(line);
    return { invalid: { id, code: PROTOCOL_CODE.invalidRequest, message: TOO_LONG } };
  }
  const text = decode(line.bytes);
  return text?.trim() === "" ? undefined : readText(text);
}

/** Reads one message of JSON-RPC 2.0 in UTF-8. */
export function readMessage(bytes: Uint8Array): ReadMessage {
  return readText(decode(bytes));
}

/** The message about one that exceeds the limit. */
export const TOO_LONG: string = `message too long: the limit is ${MAX_MESSAGE_BYTES} bytes; a topic has at most 262144, so shorten or split it`;

function readText(text: string | undefined): ReadMessage {
  const value = text === undefined ? undefined : parseJson(text);
  if (value === undefined) {
    const message = text === undefined ? "invalid UTF-8" : "invalid JSON";
    return { invalid: { id: null, code: PROTOCOL_CODE.parseError, message } };
  }
  const code = PROTOCOL_CODE.invalidRequest;
  if (Array.isArray(value)) {
    const message = "batches are not supported; send each message on its own";
    return { invalid: { id: null, code, message } };
  }
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) return { message: parsed.data };
  const message =
    'not a JSON-RPC 2.0 message: it needs "jsonrpc": "2.0", a method or a result, and an id that is a string or an integer';
  return { invalid: { id: idOf(value), code, message } };
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** Text that decoding would change is not read. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

function idOf(value: unknown): string | number | null {
  const id = isRecord(value) ? value["id"] : undefined;
  if (typeof id === "string") return id;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}
