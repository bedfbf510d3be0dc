import { describe, expect, it } from "vitest";
import { isErrorNamed } from "../src/error-name.ts";

describe("isErrorNamed", () => {
  it("recognizes errors of two classes that have the same name", () => {
    const [first, second] = [sampleError(), sampleError()];
    expect(first.constructor).not.toBe(second.constructor);
    expect([first, second].map((error) => isErrorNamed(error, "SampleError"))).toEqual([
      true,
      true,
    ]);
  });

  it.for([
    [new Error("SampleError")],
    [{ name: "SampleError" }],
    ["SampleError"],
    [null],
    [undefined],
  ])("does not recognize %o", ([value]) => {
    expect(isErrorNamed(value, "SampleError")).toBe(false);
  });
});

function sampleError(): Error {
  class SampleError extends Error {
    override readonly name = "SampleError";
  }
  return new SampleError("failed");
}
