import type { IncomingMessage } from "node:http";
import { parseJson } from "../../json.ts";

/** The JSON value of a body, or why there is none. */
export type JsonBody = { readonly value: unknown } | { readonly problem: "too-large" | "not-json" };

/** The rest of a longer body is read up to so many times the limit, so that its sender gets to read the refusal. */
const DISCARDED = 8;

/** Reads the JSON body of a request, which may have lied about its length. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<JsonBody> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes === undefined) return { problem: "too-large" };
  const text = decode(bytes);
  const value = text === undefined ? undefined : parseJson(text);
  return value === undefined ? { problem: "not-json" } : { value };
}

/** `undefined` for a body that is too long. */
async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Uint8Array = chunk;
    bytes += part.length;
    if (bytes > DISCARDED * maxBytes) break;
    if (bytes > maxBytes) chunks.length = 0;
    else chunks.push(part);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}

/** `undefined` for bytes that are not valid UTF-8: they would be saved as other ones. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
