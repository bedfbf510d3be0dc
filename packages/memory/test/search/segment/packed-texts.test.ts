import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  compareAsBytes,
  findText,
  packTexts,
  indexOfText,
  textAt,
  unpackTexts,
} from "../../../src/search/segment/packed-texts.ts";

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
