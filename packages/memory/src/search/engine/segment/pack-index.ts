import { type FlatArray, packArrays, unpackArrays } from "./array-bundle.ts";
import { type OpenSegment, openSegment } from "./open-segment.ts";
import { type DocumentNumbers, KINDS, type PackedTexts, type Segment } from "./segment.ts";

/** The arrays of a segment, in the order in which they are written and read. */
function toArrays({ segment, removed }: OpenSegment): readonly FlatArray[] {
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
    removed,
  ];
}

/** The number of arrays of a segment. */
const ARRAYS_PER_SEGMENT = 19;
/** The position of the document numbers. */
const DOCUMENTS = 9;

/** `undefined` if the arrays are not those of a segment or are inconsistent. */
function fromArrays(arrays: readonly FlatArray[]): OpenSegment | undefined {
  const take = createTaker(arrays);
  const segment: Segment = {
    terms: takeTexts(take),
    ids: takeTexts(take),
    typeNames: takeTexts(take),
    sessionNames: takeTexts(take),
    starts: take(Uint32Array),
    documents: takeNumbers(take, arrays[DOCUMENTS]),
    counts: take(Uint8Array),
    lengths: take(Uint32Array),
    kinds: take(Uint8Array),
    times: take(Float64Array),
    types: take(Uint32Array),
    sessions: take(Uint32Array),
    turns: take(Float64Array),
    vectors: take(Float32Array),
  };
  // Copied, because removals are marked in it and the bytes belong to the caller.
  const removed = take(Uint8Array).slice();
  const isWhole = take.isWhole() && isConsistent(segment, removed);
  return isWhole ? openSegment(segment, removed) : undefined;
}

function isConsistent(segment: Segment, removed: Uint8Array): boolean {
  const { terms, ids, typeNames, sessionNames, kinds, times, types, sessions, turns } = segment;
  const size = segment.lengths.length;
  const perDocument = [kinds, times, types, sessions, turns, ids.ends, removed];
  return (
    perDocument.every(({ length }) => length === size) &&
    [terms, ids, typeNames, sessionNames].every(areTextsWhole) &&
    arePostingsWhole(segment) &&
    areBelow(kinds, KINDS.length) &&
    areBelow(removed, 2) &&
    areBelow(types, typeNames.ends.length) &&
    areBelow(sessions, sessionNames.ends.length) &&
    (size === 0 ? segment.vectors.length === 0 : segment.vectors.length % size === 0)
  );
}

function areTextsWhole({ bytes, ends }: PackedTexts): boolean {
  return isAscending(ends) && (ends.at(-1) ?? 0) === bytes.length;
}

function arePostingsWhole({ terms, starts, documents, counts, lengths }: Segment): boolean {
  return (
    starts.length === terms.ends.length + 1 &&
    starts[0] === 0 &&
    isAscending(starts) &&
    starts.at(-1) === documents.length &&
    counts.length === documents.length &&
    areBelow(documents, lengths.length)
  );
}

function isAscending(numbers: Uint32Array): boolean {
  for (let at = 1; at < numbers.length; at++) {
    if ((numbers[at] ?? 0) < (numbers[at - 1] ?? 0)) return false;
  }
  return true;
}

function areBelow(numbers: Uint8Array | Uint16Array | Uint32Array, bound: number): boolean {
  for (let at = 0; at < numbers.length; at++) if ((numbers[at] ?? 0) >= bound) return false;
  return true;
}

type FlatType<T extends FlatArray> = { new (length: number): T };
interface Taker {
  <T extends FlatArray>(type: FlatType<T>): T;
  /** Whether every array had the expected type. */
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

function takeNumbers(take: Taker, next: FlatArray | undefined): DocumentNumbers {
  return next instanceof Uint16Array ? take(Uint16Array) : take(Uint32Array);
}

/** Changes with the format, the analyzer, the keys and the field weights: an older index would give other results. */
const VERSION = 3;

/** The segments of both collections. */
export interface IndexParts {
  readonly topics: readonly OpenSegment[];
  readonly turns: readonly OpenSegment[];
}

/** Serializes an index. */
export function packIndex({ topics, turns }: IndexParts): Uint8Array {
  const sizes = Uint32Array.of(topics.length, turns.length);
  return packArrays([sizes, ...[...topics, ...turns].flatMap(toArrays)], VERSION);
}

/** The segments in the bytes, or what is wrong with them. */
export function unpackIndex(bytes: Uint8Array): IndexParts | string {
  const arrays = unpackArrays(bytes, VERSION);
  if (typeof arrays === "string") return arrays;
  return partsOf(arrays) ?? "its parts are inconsistent";
}

function partsOf([sizes, ...arrays]: readonly FlatArray[]): IndexParts | undefined {
  const [topics = 0, turns = 0] = sizes ?? [];
  if (sizes?.length !== 2 || arrays.length !== (topics + turns) * ARRAYS_PER_SEGMENT)
    return undefined;
  const segments: OpenSegment[] = [];
  for (let at = 0; at < arrays.length; at += ARRAYS_PER_SEGMENT) {
    const segment = fromArrays(arrays.slice(at, at + ARRAYS_PER_SEGMENT));
    if (segment === undefined) return undefined;
    segments.push(segment);
  }
  return { topics: segments.slice(0, topics), turns: segments.slice(topics) };
}
