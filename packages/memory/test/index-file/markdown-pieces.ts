import * as fc from "fast-check";

/** Pieces that open and close comments, code and list items in any order. */
export const PIECES: fc.Arbitrary<string> = fc.constantFrom(
  "<!--",
  "-->",
  "```",
  "\n",
  "- [a](a.md) — project: x\n",
  "`",
  " ",
  "text",
  "# h\n",
  "> ",
  "\\",
);
