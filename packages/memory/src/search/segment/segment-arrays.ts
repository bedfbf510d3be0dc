import type { FlatArray } from "./array-bundle.ts";
import { type OpenSegment, openSegment } from "./open-segment.ts";
import type { PackedTexts } from "./segment.ts";

/** A segment as the arrays it is written as, in the order in which they are read again. */
export function toArrays({ segment, gone }: OpenSegment): readonly FlatArray[] {
  const { terms, ids, typeNames, sessionNames } = segment;
  const texts = [terms, ids, typeNames, sessionNames].flatMap(({ bytes, ends }) => [bytes, ends]);
  const { starts, documents, counts, lengths, kinds, times, types, sessions, turns, vectors } =
    segment;
  return [
    ...texts,
    starts,
    documents,
    counts,
    lengths,
    kinds,
    times,
    types,
    sessions,
    turns,
    vectors,
    gone,
  ];
}

/** How many arrays a segment is. */
export const ARRAYS_OF_SEGMENT = 19;

/** `undefined` where the arrays are not those of a segment, or do not fit together. */
export function fromArrays(arrays: readonly FlatArray[]): OpenSegment | undefined {
  const take = createTaker(arrays);
  const segment = {
    terms: takeTexts(take),
    ids: takeTexts(take),
    typeNames: takeTexts(take),
    sessionNames: takeTexts(take),
    starts: take(Uint32Array),
    documents: take(Uint32Array),
    counts: take(Uint16Array),
    lengths: take(Uint32Array),
    kinds: take(Uint8Array),
    times: take(Float64Array),
    types: take(Uint32Array),
    sessions: take(Uint32Array),
    turns: take(Float64Array),
    vectors: take(Float32Array),
  };
  const gone = take(Uint8Array);
  const {
    lengths: { length: size },
  } = segment;
  const perDocument = [
    segment.kinds,
    segment.times,
    segment.types,
    segment.sessions,
    segment.turns,
    segment.ids.ends,
    gone,
  ];
  const isWhole =
    take.isWhole() &&
    perDocument.every(({ length }) => length === size) &&
    segment.starts.length === segment.terms.ends.length + 1 &&
    segment.starts.at(-1) === segment.documents.length &&
    segment.counts.length === segment.documents.length &&
    Number.isInteger(size === 0 ? 0 : segment.vectors.length / size);
  return isWhole ? openSegment(segment, gone) : undefined;
}

type FlatType<T extends FlatArray> = { new (length: number): T };
interface Taker {
  <T extends FlatArray>(type: FlatType<T>): T;
  /** Whether each array was of the type that was wanted. */
  readonly isWhole: () => boolean;
}

function createTaker(arrays: readonly FlatArray[]): Taker {
  let at = 0;
  let isWhole = true;
  const take = <T extends FlatArray>(type: FlatType<T>): T => {
    const array = arrays[at++];
    if (array instanceof type) return array;
    isWhole = false;
    return new type(0);
  };
  return Object.assign(take, { isWhole: () => isWhole });
}

function takeTexts(take: Taker): PackedTexts {
  return { bytes: take(Uint8Array), ends: take(Uint32Array) };
}
