import * as fc from "fast-check";

/** Short texts of a server that tries to write our tags and frames, or control characters. */
export const hostileText: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom("<", "/", "memory-guidance", "\n", "[", "end of", "\u001B", "\u{E0041}"),
  maxLength: 8,
});

/** Names of tools, some of which providers do not accept. */
export const toolNames: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom("a", "_", "b", " ", "é"),
  minLength: 1,
  maxLength: 4,
});
