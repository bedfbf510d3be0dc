import { packArrays, unpackArrays } from "./segment/array-bundle.ts";
import type { OpenSegment } from "./segment/open-segment.ts";
import { ARRAYS_OF_SEGMENT, fromArrays, toArrays } from "./segment/segment-arrays.ts";

/** Goes up with every change of the format, of the analyzer or of the weights of fields: an older index says other things. */
const VERSION = 1;

/** Collections of segments as bytes. */
export function packIndex(collections: readonly (readonly OpenSegment[])[]): Uint8Array {
  const sizes = Uint32Array.from(collections, ({ length }) => length);
  return packArrays([sizes, ...collections.flat().flatMap(toArrays)], VERSION);
}

/** The collections, or what is wrong with the bytes. */
export function openIndex(bytes: Uint8Array): readonly (readonly OpenSegment[])[] | string {
  const arrays = unpackArrays(bytes, VERSION);
  if (typeof arrays === "string") return arrays;
  const [sizes, ...rest] = arrays;
  const collections: OpenSegment[][] = [];
  let at = 0;
  for (const size of sizes ?? []) {
    const segments: OpenSegment[] = [];
    for (let each = 0; each < size; each++, at += ARRAYS_OF_SEGMENT) {
      const segment = fromArrays(rest.slice(at, at + ARRAYS_OF_SEGMENT));
      if (segment === undefined) return "its parts do not fit together";
      segments.push(segment);
    }
    collections.push(segments);
  }
  const isWhole = collections.length === 2 && at === rest.length;
  return isWhole ? collections : "its parts do not fit together";
}
