import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretMask, createStreamMask } from "../../src/node/secret-mask.ts";

describe("a secret mask", () => {
  it.for([
    [["sk-12345678"], "key sk-12345678, again sk-12345678.", "key [masked], again [masked]."],
    [["short", undefined, ""], "short", "short"],
    [["12345678", "12345678abc"], "12345678abc 12345678", "[masked] [masked]"],
    [["a.b*c(d)[e]"], "a.b*c(d)[e] axb*c(d)[e]", "[masked] axb*c(d)[e]"],
    [["12345678\n"], "12345678", "[masked]"],
    [["line one\nline two"], "<line one\nline two>", "<[masked]>"],
  ] as const)("masks the secrets %j in %j: %j", ([values, text, masked]) => {
    expect(createSecretMask(values)(text)).toBe(masked);
  });

  it("masks a text in chunks like the whole text, however it is split", () => {
    const word = fc.constantFrom("abababab", "ababababab", "bbbbbbbb", "a", "b", "-");
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom("abababab", "ababababab", "bbbbbbbb", "babababb"), {
          maxLength: 3,
        }),
        fc.array(word, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }),
        (values, words, sizes) => {
          const text = words.join("");
          const stream = createStreamMask(values);
          let [at, out] = [0, ""];
          for (const size of [...sizes, text.length]) {
            out += stream.push(text.slice(at, at + size));
            at += size;
          }
          expect(out + stream.end()).toBe(createSecretMask(values)(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
