import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createLineSplitter, type InputLine } from "../src/line-splitter.ts";

function split(chunks: readonly Uint8Array[], maxBytes: number): readonly InputLine[] {
  const splitter = createLineSplitter(maxBytes);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

function shown(lines: readonly InputLine[]): readonly string[] {
  return lines.map((line) =>
    line.kind === "line" ? Buffer.from(line.bytes).toString() : `${line.head}…${line.tail}`,
  );
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

it("finds the same lines however the input is chunked, and none longer than the limit", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "é", "\n"), maxLength: 12 }),
      fc.array(fc.integer({ min: 0, max: 14 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (text, cuts, maxBytes) => {
        const whole = bytes(text);
        const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
        const expected = text
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => (bytes(line).length <= maxBytes ? line : `${line}…${line}`));
        expect(shown(split(chunks, maxBytes))).toEqual(expected);
      },
    ),
  );
});

it("keeps both ends of a line that is too long, and the whole next line", () => {
  const long = `start${"x".repeat(5_000)}finish`;
  const lines = split([bytes(long.slice(0, 3_000)), bytes(`${long.slice(3_000)}\nnext\n`)], 100);
  expect(lines).toMatchObject([
    { kind: "too-long", head: expect.stringMatching(/^start/) as string },
    { kind: "line" },
  ]);
  expect(lines[0]).toMatchObject({ tail: expect.stringMatching(/finish$/) as string });
  expect(shown(lines)[1]).toBe("next");
});

it("collects a long line that arrives byte by byte", () => {
  const splitter = createLineSplitter(1_000_000);
  const one = bytes("x");
  for (let index = 0; index < 300_000; index += 1) splitter.push(one);
  expect(splitter.end()).toMatchObject([{ kind: "line", bytes: { length: 300_000 } }]);
});
