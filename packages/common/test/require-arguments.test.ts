import { expect, it } from "vitest";
import { requireArguments } from "../src/require-arguments.ts";

interface Input {
  readonly a?: number | undefined;
  readonly b?: number | undefined;
}

it("requireArguments names the first missing argument", () => {
  const check = (input: Input | undefined) => () => requireArguments("load", input, ["a", "b"]);
  expect(check(undefined)).toThrow(new TypeError('load: "a" is required'));
  expect(check({ a: 0 })).toThrow(new TypeError('load: "b" is required'));
  expect(check({ a: 0, b: 1 })).not.toThrow();
});
