import type { Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { RequestError } from "./request-error.ts";

/** Undoes a content encoding piece by piece, so that a compressed stream of events arrives as it is sent. */
export function createDecoder(encoding: string): Transform {
  const flush = { flush: constants.Z_SYNC_FLUSH };
  switch (encoding.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip(flush);
    case "deflate":
      return createInflate(flush);
    case "br":
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new RequestError(
        "UNSUPPORTED",
        `the answer is encoded as ${encoding}, which is not known here`,
      );
  }
}
