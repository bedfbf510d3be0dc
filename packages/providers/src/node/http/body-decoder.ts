import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { RequestError } from "./request-error.ts";

/** Decodes a content encoding chunk by chunk, so that a compressed event stream arrives as it is sent. */
export function createDecoder(encoding: string): Transform {
  switch (encoding.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new RequestError("UNSUPPORTED", `unsupported content encoding "${encoding}"`);
  }
}
