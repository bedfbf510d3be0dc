import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createLineSplitter } from "../../../../src/node/client/transport/line-splitter.ts";

it("finds the same lines however the output is chunked, and none longer than the limit", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "Ω", "\r"), maxLength: 12 });
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 8 }),
      (all, size, max) => {
        const bytes = Buffer.from(all);
        const lines: string[] = [];
        const split = createLineSplitter(max, (line) => lines.push(line));
        let isWithin = true;
        for (let at = 0; at < bytes.length && isWithin; at += size)
          isWithin = split(bytes.subarray(at, at + size));
        const whole = all.split("\n");
        const isShort = whole.every((line) => Buffer.byteLength(line) <= max);
        expect(isWithin).toBe(isShort);
        const expected = whole.slice(0, -1).map((line) => line.replace(/\r$/, ""));
        expect(lines).toEqual(isShort ? expected : expected.slice(0, lines.length));
      },
    ),
  );
});
