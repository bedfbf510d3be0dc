import type { IncomingMessage } from "node:http";
import { parseJson } from "@caliban/common";
import { type PageAnswer, problem } from "../routes/page-request.ts";
import { MAX_BODY_BYTES, TOO_LARGE } from "../safety/gate.ts";

/** The rest of a longer body is read up to this limit, so that its sender gets to read the refusal. */
const MAX_DISCARDED_BYTES: number = 8 * MAX_BODY_BYTES;

/** Reads the JSON body of a request, which may have lied about its length. */
export async function readJsonBody(
  request: IncomingMessage,
): Promise<{ readonly value: unknown } | { readonly problem: PageAnswer }> {
  const bytes = await readBytes(request);
  if (bytes === undefined) return { problem: problem(TOO_LARGE.status, TOO_LARGE.message) };
  const text = decode(bytes);
  const value = text === undefined ? undefined : parseJson(text);
  return value === undefined
    ? { problem: problem(400, "the request is not valid JSON; nothing was changed") }
    : { value };
}

/** `undefined` for a body that is too long. */
async function readBytes(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Uint8Array = chunk;
    bytes += part.length;
    if (bytes > MAX_DISCARDED_BYTES) break;
    if (bytes > MAX_BODY_BYTES) chunks.length = 0;
    else chunks.push(part);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
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
