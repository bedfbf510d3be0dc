import { type FlatArray, packArrays, unpackArrays } from "./segment/array-bundle.ts";
import type { OpenSegment } from "./segment/open-segment.ts";
import { ARRAYS_OF_SEGMENT, fromArrays, toArrays } from "./segment/pack-index.ts";

/** Goes up with every change of the format, of the analyzer or of the weights of fields: an older index says other things. */
const VERSION = 2;

/** The segments of the two collections. */
export interface IndexParts {
  readonly topics: readonly OpenSegment[];
  readonly turns: readonly OpenSegment[];
}

/** An index as bytes. */
export function packIndex({ topics, turns }: IndexParts): Uint8Array {
  const sizes = Uint32Array.of(topics.length, turns.length);
  return packArrays([sizes, ...[...topics, ...turns].flatMap(toArrays)], VERSION);
}

/** What the bytes hold, or what is wrong with them. */
export function openIndex(bytes: Uint8Array): IndexParts | string {
  const arrays = unpackArrays(bytes, VERSION);
  if (typeof arrays === "string") return arrays;
  return partsOf(arrays) ?? "its parts do not fit together";
}

function partsOf([sizes, ...arrays]: readonly FlatArray[]): IndexParts | undefined {
  const [topics = 0, turns = 0] = sizes ?? [];
  if (sizes?.length !== 2 || arrays.length !== (topics + turns) * ARRAYS_OF_SEGMENT)
    return undefined;
  const segments: OpenSegment[] = [];
  for (let at = 0; at < arrays.length; at += ARRAYS_OF_SEGMENT) {
    const segment = fromArrays(arrays.slice(at, at + ARRAYS_OF_SEGMENT));
    if (segment === undefined) return undefined;
    segments.push(segment);
  }
  return { topics: segments.slice(0, topics), turns: segments.slice(topics) };
}
