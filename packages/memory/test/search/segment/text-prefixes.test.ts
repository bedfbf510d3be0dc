import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createPrefixTest } from "../../../src/search/segment/packed-texts.ts";

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
