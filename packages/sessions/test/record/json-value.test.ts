import { describe, expect, it } from "vitest";
import { isTooLarge } from "../../src/record/json-value.ts";

const nested = (levels: number): unknown =>
  JSON.parse(`${"[".repeat(levels)}1${"]".repeat(levels)}`);
const wide = (keys: number): object =>
  Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, 1]));

describe("isTooLarge", () => {
  it.for([
    ["a text", "x".repeat(1_000_000), false],
    ["null", null, false],
    ["256 levels", nested(256), false],
    ["257 levels", nested(257), true],
    ["100,000 values in a list", Array.from({ length: 100_000 }, () => 1), false],
    ["more than 100,000 values in a list", Array.from({ length: 100_001 }, () => 1), true],
    ["100,000 keys", wide(100_000), false],
    ["more than 100,000 keys", wide(100_001), true],
    ["many small lists", Array.from({ length: 50_001 }, () => [[]]), true],
  ] as const)("isTooLarge judges %s", ([, value, expected]) => {
    expect(isTooLarge(value)).toBe(expected);
  });

  it("isTooLarge does not read the values of an object with too many keys", () => {
    let reads = 0;
    const value = new Proxy(wide(100_001), {
      get: (target, key) => {
        reads += 1;
        return Reflect.get(target, key);
      },
    });
    expect(isTooLarge(value)).toBe(true);
    expect(reads).toBe(0);
  });
});
