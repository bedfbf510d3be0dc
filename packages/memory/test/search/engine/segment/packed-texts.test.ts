import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  compareAsBytes,
  findText,
  packTexts,
  indexOfText,
  textAt,
  unpackTexts,
  createPrefixTest,
} from "../../../../src/search/engine/segment/packed-texts.ts";

const anyText = fc
  .array(fc.constantFrom("a", "b", "é", "\uffff", "𠮷", "\0"), { maxLength: 3 })
  .map((all) => all.join(""));

it("returns every text by its index and finds every text", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyText, { maxLength: 8 }), anyText, (texts, other) => {
      const sorted = texts.toSorted(compareAsBytes);
      const packed = packTexts(sorted);
      expect(unpackTexts(packed)).toEqual(sorted);
      expect(sorted.map((_, place) => textAt(packed, place))).toEqual(sorted);
      for (const text of [...sorted, other]) {
        const place = sorted.indexOf(text);
        expect(findText(packed, new TextEncoder().encode(text))).toBe(place);
        expect(indexOfText(packed, text)).toBe(place);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("recognizes any text that starts with one of the prefixes", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "é", "𠮷"), { maxLength: 4 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), text, (prefixes, given) => {
      const begins = createPrefixTest(prefixes)(new TextEncoder().encode(given));
      expect(begins).toBe(prefixes.some((prefix) => given.startsWith(prefix)));
    }),
    { numRuns: 2_000 },
  );
});
