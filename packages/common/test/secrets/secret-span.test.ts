import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeSpans } from "../../src/secrets/secret-span.ts";

describe("mergeSpans", () => {
  it("mergeSpans names a merged span after the earlier group", () => {
    const token = { kind: "token", start: 4, end: 9 };
    const password = { kind: "password", start: 2, end: 6 };
    expect(mergeSpans([[token], [password]])).toEqual([{ kind: "token", start: 2, end: 9 }]);
    expect(mergeSpans([[password], [token]])).toEqual([{ kind: "password", start: 2, end: 9 }]);
  });

  it("mergeSpans keeps adjacent spans apart", () => {
    const spans = [
      { kind: "a", start: 0, end: 2 },
      { kind: "b", start: 2, end: 4 },
    ];
    expect(mergeSpans([spans.toReversed()])).toEqual(spans);
  });

  it("mergeSpans covers the same characters in order and without overlap", () => {
    const span = fc
      .tuple(fc.constantFrom("a", "b"), fc.nat(8), fc.integer({ min: 1, max: 4 }))
      .map(([kind, start, length]) => ({ kind, start, end: start + length }));
    fc.assert(
      fc.property(fc.array(fc.array(span, { maxLength: 4 }), { maxLength: 3 }), (groups) => {
        const merged = mergeSpans(groups);
        expect(charactersOf(merged)).toEqual(
          [...new Set(charactersOf(groups.flat()))].toSorted(byNumber),
        );
      }),
    );
  });
});

function charactersOf(
  spans: readonly { readonly start: number; readonly end: number }[],
): number[] {
  return spans.flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, index) => start + index),
  );
}

function byNumber(a: number, b: number): number {
  return a - b;
}
