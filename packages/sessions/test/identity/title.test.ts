import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseSessionName } from "../../src/identity/session-name.ts";
import { titleOf } from "../../src/identity/title.ts";

it.for([
  ["Fix the tests", "Fix the tests"],
  ["  Fix\n\n the\ttests \u001b[31m", "Fix the tests [31m"],
  ["", ""],
  ["\u0000\n", ""],
  [
    "Please look at the whole of the deployment and tell me what is wrong with it today",
    "Please look at the whole of the deployment and tell me what is wrong…",
  ],
  ["x".repeat(100), `${"x".repeat(71)}…`],
] as const)("titleOf shortens %j to one line", ([text, title]) => {
  expect(titleOf(text)).toBe(title);
});

it("titleOf returns well-formed text of at most 72 characters on one line", () => {
  const text = fc.array(fc.constantFrom("a", " ", "\n", "😀", "é", "\u0000", "\uD800"), {
    maxLength: 120,
  });
  fc.assert(
    fc.property(text, (parts) => {
      const title = titleOf(parts.join(""));
      expect(title.length).toBeLessThanOrEqual(72);
      expect(title.isWellFormed()).toBe(true);
      expect(title).not.toMatch(/[\n\0]/);
    }),
  );
});

it("parseSessionName trims and normalizes a name and rejects invalid ones", () => {
  expect(parseSessionName(" Cafe\u0301 ")).toBe("Café");
  for (const bad of ["", "  ", "a\nb", "a\u0007", "x".repeat(81)]) {
    expect(() => parseSessionName(bad)).toThrow(expect.objectContaining({ code: "INVALID_NAME" }));
  }
});
