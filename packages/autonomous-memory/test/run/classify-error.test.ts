import { describe, expect, it } from "vitest";
import { classifyError } from "../../src/run/classify-error.ts";
import { PipelineError } from "../../src/run/errors.ts";

const withFields = (message: string, fields: object): Error =>
  Object.assign(new Error(message), fields);

describe("classifyError", () => {
  it.for([
    ["our own code for too much", new PipelineError("OVERFLOW", "too much"), "overflow"],
    ["our own code for later", new PipelineError("TRANSIENT", "later"), "transient"],
    ["our own code for a missing key", new PipelineError("SETUP", "no key"), "setup"],
    ["our own code for a useless answer", new PipelineError("PERMANENT", "no"), "permanent"],
    ["a rate limit", withFields("slow down", { status: 429 }), "transient"],
    ["a fault of the provider", withFields("oops", { statusCode: 503 }), "transient"],
    ["a wrong key", withFields("bad key", { status: 401 }), "setup"],
    ["no such model", withFields("no such model", { status: 404 }), "setup"],
    ["a body too large", withFields("large", { status: 413 }), "overflow"],
    [
      "a message about the window",
      withFields("maximum context length is 8192 tokens", { status: 400 }),
      "overflow",
    ],
    [
      "a prompt too long",
      withFields("prompt is too long: 210000 tokens", { status: 400 }),
      "overflow",
    ],
    ["another bad request", withFields("no such field", { status: 400 }), "permanent"],
    ["a lost connection", withFields("read ECONNRESET", { code: "ECONNRESET" }), "transient"],
    [
      "a cause that names it",
      new TypeError("failed", { cause: withFields("", { code: "UND_ERR_SOCKET" }) }),
      "transient",
    ],
    ["fetch's own message", new TypeError("fetch failed"), "transient"],
    ["a time limit", withFields("The operation timed out", { name: "TimeoutError" }), "transient"],
    ["a bug in a model function", new TypeError("x is not a function"), "permanent"],
    ["something that is not an error", "nope", "permanent"],
    ["nothing at all", undefined, "permanent"],
  ] as const)("classifies %s", ([, error, errorClass]) => {
    expect(classifyError(error).errorClass).toBe(errorClass);
  });

  it("keeps the delay that the provider asks for", () => {
    const error = new PipelineError("TRANSIENT", "later", { retryAfterMs: 7_000 });
    expect(classifyError(error)).toEqual({
      errorClass: "transient",
      message: "later",
      retryAfterMs: 7_000,
    });
  });

  it("returns one bounded line without control characters", () => {
    const { message } = classifyError(new Error(`\u001B[31mred\nsecond ${"x".repeat(5_000)}`));
    expect(message).not.toContain("\n");
    expect(message).not.toContain("\u001B");
    expect(message.length).toBeLessThanOrEqual(4_000);
  });

  it("provides a message for a failure without one", () => {
    expect(classifyError(new Error("")).message).toBe("the model failed without giving a reason");
  });
});
