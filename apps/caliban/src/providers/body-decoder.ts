import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { RequestError } from "./request-error.ts";

/** Undoes a content encoding piece by piece, so that a compressed stream of events arrives as it is sent. */
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
      throw new RequestError(
        "UNSUPPORTED",
        `the answer is encoded as ${encoding}, which is not known here`,
      );
  }
}
