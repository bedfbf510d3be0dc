/** What an index is made of when it is written: flat arrays, one behind the other. */
export type FlatArray = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

const TYPES = [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array] as const;
/** Every array begins at a multiple of this, so that it can be used where it lies. */
const ALIGNMENT = 8;
/** Word for word: magic, format, arrays, checksum. */
const HEADER_WORDS = 4;
/** Reads as another number where bytes stand in another order. */
const MAGIC = 0x43_41_4c_31;

/** Arrays as bytes, with a version and a checksum before them. */
export function packArrays(arrays: readonly FlatArray[], version: number): Uint8Array {
  const tableWords = HEADER_WORDS + arrays.length * 2;
  let end = aligned(tableWords * 4);
  const places = arrays.map((array) => {
    const place = end;
    end = aligned(end + array.byteLength);
    return place;
  });
  const bytes = new Uint8Array(end);
  const table = new Uint32Array(bytes.buffer, 0, tableWords);
  table.set([MAGIC, version, arrays.length]);
  for (const [at, array] of arrays.entries()) {
    const type = TYPES.findIndex((each) => array instanceof each);
    table.set([type, array.length], HEADER_WORDS + at * 2);
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), places[at]);
  }
  table[3] = checksum(bytes);
  return bytes;
}

/** The arrays where they lie in the bytes; a sentence that says what is wrong with them where they cannot be used. */
export function unpackArrays(given: Uint8Array, version: number): readonly FlatArray[] | string {
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
  if (bytes.byteLength < HEADER_WORDS * 4 || bytes.byteLength % ALIGNMENT !== 0)
    return "it is cut off";
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const [magic, own, count = 0, sum] = words;
  if (magic !== MAGIC) return "it is no index of this program, or of another machine";
  if (own !== version) return "another version of this program wrote it";
  if (sum !== checksum(bytes)) return "its checksum is wrong";
  const arrays: FlatArray[] = [];
  let end = aligned((HEADER_WORDS + count * 2) * 4);
  for (let at = 0; at < count; at++) {
    const type = TYPES[words[HEADER_WORDS + at * 2] ?? TYPES.length];
    const length = words[HEADER_WORDS + at * 2 + 1] ?? 0;
    if (type === undefined || end + length * type.BYTES_PER_ELEMENT > bytes.byteLength)
      return "it is cut off";
    arrays.push(new type(bytes.buffer as ArrayBuffer, bytes.byteOffset + end, length));
    end = aligned(end + length * type.BYTES_PER_ELEMENT);
  }
  return arrays;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Of every word but the one that holds it. Finds damage; it is no proof against forgery. */
function checksum(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let one = 0x9e_37_79_b9;
  let other = words.length;
  for (let at = 0; at < words.length; at++) {
    if (at === 3) continue;
    one = Math.imul(one ^ (words[at] ?? 0), 0x01_00_01_93);
    one = (one << 13) | (one >>> 19);
    other = (other + one) | 0;
  }
  return (one ^ Math.imul(other, 0x85_eb_ca_6b)) >>> 0;
}
