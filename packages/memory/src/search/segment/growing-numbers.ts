/** Numbers of which nobody knows how many there will be, in as little room as they need. */
export interface GrowingNumbers<T> {
  readonly push: (number: number) => void;
  readonly length: () => number;
  readonly all: () => T;
}

/** `create` makes an array of a length. */
export function createGrowingNumbers<T extends Uint8Array | Uint32Array>(
  create: (length: number) => T,
): GrowingNumbers<T> {
  let numbers = create(0x4_00);
  let count = 0;
  return {
    push: (number) => {
      if (count === numbers.length) {
        const wider = create(count * 2);
        wider.set(numbers);
        numbers = wider;
      }
      numbers[count++] = number;
    },
    length: () => count,
    all: () => {
      const all = create(count);
      all.set(numbers.subarray(0, count));
      return all;
    },
  };
}
