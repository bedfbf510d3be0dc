/** Numbers distinct tokens without creating a string for each lookup. */
export interface TokenTable {
  /** Sets the units that `find` refers to. */
  readonly use: (units: Uint16Array) => void;
  /** The number of a token; a new one gets the next number. -1 if the table is full. */
  readonly find: (from: number, to: number) => number;
}

/** A text with more distinct tokens than this hardly repeats any of them. */
const MAX_TOKENS = 500_000;
/** Only input crafted to slow us down needs more probes. */
const MAX_PROBES = 64;

export function createTokenTable(): TokenTable {
  let slots = new Uint32Array(0x20_00);
  let units: Uint16Array = new Uint16Array(0);
  let storedUnits = new Uint16Array(0x80_00);
  let ends = new Uint32Array(0x10_00);
  let hashes = new Int32Array(0x10_00);
  let count = 0;

  const isSame = (number: number, from: number, to: number): boolean => {
    const start = number === 0 ? 0 : (ends[number - 1] ?? 0);
    if ((ends[number] ?? 0) - start !== to - from) return false;
    for (let at = from; at < to; at++)
      if (units[at] !== storedUnits[start + at - from]) return false;
    return true;
  };
  const grow = (): void => {
    slots = new Uint32Array(slots.length * 2);
    ends = grown(ends, new Uint32Array(ends.length * 2));
    hashes = grown(hashes, new Int32Array(hashes.length * 2));
    for (let number = 0; number < count; number++) insert(slots, hashes[number] ?? 0, number);
  };
  const store = (hash: number, from: number, to: number): number => {
    if (count === MAX_TOKENS) return -1;
    const start = count === 0 ? 0 : (ends[count - 1] ?? 0);
    const end = start + to - from;
    if (end > storedUnits.length) storedUnits = grown(storedUnits, new Uint16Array(end * 2));
    for (let at = from; at < to; at++) storedUnits[start + at - from] = units[at] ?? 0;
    ends[count] = end;
    hashes[count] = hash;
    insert(slots, hash, count);
    count++;
    if (count === ends.length) grow();
    return count - 1;
  };
  return {
    use: (next) => {
      units = next;
    },
    find: (from, to) => {
      const hash = hashOf(units, from, to);
      for (let probe = 0; probe < MAX_PROBES; probe++) {
        const entry = slots[(hash + probe) & (slots.length - 1)] ?? 0;
        if (entry === 0) return store(hash, from, to);
        if (hashes[entry - 1] === hash && isSame(entry - 1, from, to)) return entry - 1;
      }
      return -1;
    },
  };
}

function hashOf(units: Uint16Array, from: number, to: number): number {
  let hash = to - from;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (units[at] ?? 0), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return hash ^ (hash >>> 13);
}

/** Numbers are stored plus one, because 0 is an empty slot. */
function insert(slots: Uint32Array, hash: number, number: number): void {
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    const slot = (hash + probe) & (slots.length - 1);
    if (slots[slot] !== 0) continue;
    slots[slot] = number + 1;
    return;
  }
}

function grown<T extends Uint16Array | Uint32Array | Int32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
