import { expect, it } from "vitest";
import { compileForm } from "../../../src/secrets/patterns/compile-form.ts";

it.for([
  ["foo_{hex:4}", "foo_[0-9a-f]{4}"],
  ["{base62:6}[.]{url:8+}", String.raw`[A-Za-z0-9]{6}[.][\w-]{8,}`],
  ["{upper:1-20}", "[A-Z0-9]{1,20}"],
  [String.raw`a{0,2}\d{3}`, String.raw`a{0,2}\d{3}`],
] as const)("compileForm turns %j into %j", ([form, source]) => {
  expect(compileForm(form).source).toBe(source);
  expect(compileForm(form).flags).toBe("g");
});

it("compileForm rejects an unknown alphabet", () => {
  expect(() => compileForm("{octal:8}")).toThrow("unknown part of a form: octal");
});
