import type { ModelFailure } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { withAdvice } from "../../../src/conversation/open/failure-advice.ts";

const MODEL = {
  name: "acme/one",
  provider: "acme",
  model: "one",
  api: "openai-compatible",
  contextWindow: 1000,
} as const;

const failure = (changes: Partial<ModelFailure>): ModelFailure => ({
  code: "server",
  message: "acme failed.",
  isTransient: true,
  ...changes,
});

describe("advice about a failure", () => {
  it.each([
    [
      { code: "auth" },
      "None was sent: name the variable of a key with api_key_env below [providers.acme].",
    ],
    [{ code: "rate-limit", retryAfterMs: 90_000 }, "for 2 minutes: try again then"],
    [{ code: "rate-limit", retryAfterMs: 60_000 }, "for 1 minute: try again then"],
    [{ code: "overloaded" }, "Try again later, or choose another model with --model."],
    [{ code: "overflow" }, "/compact"],
    [{ code: "garbage", isTransient: false }, "Is the address the one of a model server?"],
    [{ code: "unknown-model" }, "caliban settings set models.default"],
  ] as const)("for %j says %j", (given, advice) => {
    expect(withAdvice(failure(given), MODEL).message).toContain(`acme failed. `);
    expect(withAdvice(failure(given), MODEL).message).toContain(advice);
  });

  it("names the variable that the key came from, and never the key", () => {
    const model = { ...MODEL, keyVariable: "ACME_KEY" };
    expect(withAdvice(failure({ code: "auth" }), model).message).toBe(
      "acme failed. The key came from ACME_KEY.",
    );
  });

  it("leaves alone what says everything", () => {
    expect(withAdvice(failure({ code: "bad-request" }), MODEL).message).toBe("acme failed.");
  });
});
