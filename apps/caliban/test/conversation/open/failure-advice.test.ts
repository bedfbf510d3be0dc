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

describe("withAdvice", () => {
  it.each([
    [
      { code: "auth" },
      "No key was sent. Set api_key_env in [providers.acme] to the variable that contains it.",
    ],
    [{ code: "rate-limit", retryAfterMs: 90_000 }, "Try again in 2 minutes, or"],
    [{ code: "rate-limit", retryAfterMs: 60_000 }, "Try again in 1 minute, or"],
    [{ code: "overloaded" }, "Try again later, or choose another model with --model."],
    [{ code: "overflow" }, "/compact"],
    [{ code: "garbage", isTransient: false }, "Check that the URL is that of a model server."],
    [{ code: "unknown-model" }, "caliban settings set models.default"],
  ] as const)("advises about %j: %j", (given, advice) => {
    expect(withAdvice(failure(given), MODEL).message).toContain(`acme failed. `);
    expect(withAdvice(failure(given), MODEL).message).toContain(advice);
  });

  it("names the variable that the key came from, and never the key", () => {
    const model = { ...MODEL, keyVariable: "ACME_KEY" };
    expect(withAdvice(failure({ code: "auth" }), model).message).toBe(
      "acme failed. The key came from ACME_KEY.",
    );
  });

  it("adds nothing to a message that is complete", () => {
    expect(withAdvice(failure({ code: "bad-request" }), MODEL).message).toBe("acme failed.");
  });
});
