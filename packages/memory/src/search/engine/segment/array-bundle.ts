/** The building block of a serialized index: flat arrays, one after the other. */
export type FlatArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

const TYPES = [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array] as const;
/** Every array starts at a multiple of this, so that it can be used without copying. */
const ALIGNMENT = 8;
/** Magic number, version, number of arrays, checksum. */
const HEADER_WORDS = 4;
/** A machine with another byte order reads another number. */
const MAGIC = 0x43_41_4c_31;

/** Enough for a thousand segments. */
const MAX_ARRAYS = 20_000;

/** Serializes arrays, with a version and a checksum. */
export function packArrays(arrays: readonly FlatArray[], version: number): Uint8Array {
  const tableWords = HEADER_WORDS + arrays.length * 2;
  let end = aligned(tableWords * 4);
  const offsets = arrays.map((array) => {
    const offset = end;
    end = aligned(end + array.byteLength);
    return offset;
  });
  const bytes = new Uint8Array(end);
  const table = new Uint32Array(bytes.buffer, 0, tableWords);
  table.set([MAGIC, version, arrays.length]);
  for (const [at, array] of arrays.entries()) {
    const type = TYPES.findIndex((each) => array instanceof each);
    table.set([type, array.length], HEADER_WORDS + at * 2);
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offsets[at]);
  }
  table[3] = checksum(toUint32(bytes));
  return bytes;
}

/**
 * The arrays in the bytes, not copied; or a clause that says what is wrong.
 * @param sum whether the checksum is computed, which takes longer than everything else
 */
export function unpackArrays(
  given: Uint8Array,
  version: number,
  sum: "checked" | "unchecked" = "checked",
): readonly FlatArray[] | string {
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : new Uint8Array(given);
  if (bytes.byteLength < HEADER_WORDS * 4 || bytes.byteLength % ALIGNMENT !== 0)
    return "it is truncated";
  const words = toUint32(bytes);
  const [magic, own, count = 0, expected] = words;
  if (magic !== MAGIC)
    return "it is not an index of this program, or comes from another kind of machine";
  if (own !== version) return "it was written by another version of this program";
  if (count > MAX_ARRAYS) return "it has too many parts";
  if (sum === "checked" && expected !== checksum(words)) return "its checksum is wrong";
  return arraysIn(bytes, words) ?? "it is truncated";
}

function arraysIn(bytes: Uint8Array, words: Uint32Array): readonly FlatArray[] | undefined {
  const count = words[2] ?? 0;
  const arrays: FlatArray[] = [];
  let end = aligned((HEADER_WORDS + count * 2) * 4);
  for (let at = 0; at < count; at++) {
    const type = TYPES[words[HEADER_WORDS + at * 2] ?? TYPES.length];
    const length = words[HEADER_WORDS + at * 2 + 1] ?? 0;
    if (type === undefined || end + length * type.BYTES_PER_ELEMENT > bytes.byteLength)
      return undefined;
    const size = length * type.BYTES_PER_ELEMENT;
    arrays.push(arrayIn(bytes.subarray(end, end + size), type));
    end = aligned(end + size);
  }
  return arrays;
}

function arrayIn(bytes: Uint8Array, type: (typeof TYPES)[number]): FlatArray {
  const { buffer, byteOffset, byteLength } = bytes;
  const length = byteLength / type.BYTES_PER_ELEMENT;
  switch (type) {
    case Uint8Array:
      return bytes;
    case Uint16Array:
      return new Uint16Array(buffer, byteOffset, length);
    case Uint32Array:
      return new Uint32Array(buffer, byteOffset, length);
    case Float32Array:
      return new Float32Array(buffer, byteOffset, length);
    default:
      return new Float64Array(buffer, byteOffset, length);
  }
}

function toUint32({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/**
 * Covers every word except the one that holds it. Each step is reversible, so that a change of a single word is always
 * detected. Four independent sums let the processor work in parallel. It does not protect against forgery.
 */
function checksum(words: Uint32Array): number {
  let one = words[1] ?? 0;
  let two = words[2] ?? 0;
  let three = words.length;
  let four = MAGIC;
  const last = words.length - 3;
  let at = HEADER_WORDS;
  for (; at < last; at += 4) {
    one = mixed(one, words[at] ?? 0);
    two = mixed(two, words[at + 1] ?? 0);
    three = mixed(three, words[at + 2] ?? 0);
    four = mixed(four, words[at + 3] ?? 0);
  }
  for (; at < words.length; at++) one = mixed(one, words[at] ?? 0);
  return mixed(mixed(mixed(one, two), three), four) >>> 0;
}

function mixed(sum: number, word: number): number {
  const product = Math.imul(sum ^ word, 0x01_00_01_93);
  return (product << 13) | (product >>> 19);
}
