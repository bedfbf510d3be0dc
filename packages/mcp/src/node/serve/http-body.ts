import type { IncomingMessage } from "node:http";

/** Beyond this, a body that is too long is not even waited for, so that its sender hears why. */
const MOST_DISCARDED_BYTES: number = 32 * 1024 * 1024;

/** Reads the body of a request; `undefined` for one that is too long. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Uint8Array = chunk;
    bytes += part.length;
    if (bytes > MOST_DISCARDED_BYTES) break;
    if (bytes > maxBytes) chunks.length = 0;
    else chunks.push(part);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}
