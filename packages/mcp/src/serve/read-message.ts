import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "@caliban/common";
import type { SplitLine } from "../node/serve/line-splitter.ts";
import { PROTOCOL_CODE } from "./protocol-error.ts";
import { parseJson } from "@caliban/common";

/** The longest message that is read: a topic has at most a quarter of it. */
export const MAX_MESSAGE_BYTES: number = 1024 * 1024;

/** An answer to what is no message. JSON-RPC wants the id, or null where none can be found. */
export interface BadMessage {
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
}

export type ReadMessage = { readonly message: JSONRPCMessage } | { readonly bad: BadMessage };

/** Reads one line of the protocol; `undefined` for an empty one. */
export function readMessageLine(line: SplitLine): ReadMessage | undefined {
  if (line.kind === "too-long") {
    const message = `The message has more than ${MAX_MESSAGE_BYTES} bytes, so it was not read. A topic has at most 262144: make it shorter, or split it.`;
    return bad({ id: idAtTheEnds(line), code: PROTOCOL_CODE.invalidRequest, message });
  }
  const text = decoded(line.bytes);
  if (text === undefined) return unparsable("The message is not UTF-8.");
  if (text.trim() === "") return undefined;
  const value = parseJson(text);
  if (value === undefined) return unparsable("The message is no JSON on one line.");
  return readMessage(value);
}

/** Proves that a value is one message of JSON-RPC 2.0. */
export function readMessage(value: unknown): ReadMessage {
  const code = PROTOCOL_CODE.invalidRequest;
  if (Array.isArray(value)) {
    const message = "A list of messages is not read: send each of them by itself.";
    return bad({ id: null, code, message });
  }
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) return { message: parsed.data };
  const message =
    'This is no message of JSON-RPC 2.0: it needs "jsonrpc": "2.0", a method or a result, and an id that is a text or a whole number.';
  return bad({ id: idOf(value), code, message });
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

/** Text that would be changed by reading it is not read. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

function unparsable(message: string): ReadMessage {
  return bad({ id: null, code: PROTOCOL_CODE.parseError, message });
}

function bad(problem: BadMessage): ReadMessage {
  return { bad: problem };
}

function idOf(value: unknown): string | number | null {
  const id = isRecord(value) ? value["id"] : undefined;
  if (typeof id === "string") return id;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[\w.:-]{1,100}")`;
// Where it is the first of all members, or the first behind the version.
const ID_FIRST = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*,`);
// Where it is the last one: behind it nothing but the end of the whole message.
const ID_LAST = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`);

/** Found without reading the message, so that whoever waits for an answer gets one. */
function idAtTheEnds({ head, tail }: SplitLine & { readonly kind: "too-long" }): BadMessage["id"] {
  const found = ID_FIRST.exec(head)?.[1] ?? ID_LAST.exec(tail)?.[1];
  const id = found === undefined ? undefined : parseJson(found);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
