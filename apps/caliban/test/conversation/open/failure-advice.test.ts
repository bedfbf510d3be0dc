import type { ModelFailure } from "@caliban/agent-core";
import { shellCommand } from "@caliban/common";
import type { ResolvedModel } from "@caliban/providers";
import { describe, expect, it } from "vitest";
import { withAdvice } from "../../../src/conversation/open/failure-advice.ts";

const MODEL = {
  name: "acme/one",
  provider: "acme",
  model: "one",
  api: "openai-compatible",
  contextWindow: 1000,
  acceptsImages: false,
} as const;

const failure = (changes: Partial<ModelFailure>): ModelFailure => ({
  code: "server",
  message: "acme failed.",
  isTransient: true,
  ...changes,
});

const advised = (given: Partial<ModelFailure>, model: ResolvedModel = MODEL): string =>
  withAdvice({ failure: failure(given), model, command: shellCommand }).message;

describe("withAdvice", () => {
  it.each([
    [
      { code: "auth" },
      "No key was sent. Set api_key_env in [providers.acme] to the variable that contains it.",
    ],
    [{ code: "rate-limit", retryAfterMs: 90_000 }, "Try again in 2 minutes, or"],
    [{ code: "rate-limit", retryAfterMs: 60_000 }, "Try again in 1 minute, or"],
    [{ code: "overloaded" }, "Try again later, or choose another model with: caliban --model"],
    [{ code: "overflow" }, "/compact"],
    [{ code: "garbage", isTransient: false }, "Check that the URL is that of a model server."],
    [{ code: "unknown-model" }, "caliban settings set models.default"],
  ] as const)("advises about %j: %j", (given, advice) => {
    expect(advised(given)).toContain(`acme failed. `);
    expect(advised(given)).toContain(advice);
  });

  it("names the variable that the key came from, and never the key", () => {
    const model = { ...MODEL, keyVariable: "ACME_KEY" };
    expect(advised({ code: "auth" }, model)).toBe("acme failed. The key came from ACME_KEY.");
  });

  it("names commands as they are typed where it is shown", () => {
    const command = (words: string): string => `<${words}>`;
    const { message } = withAdvice({
      failure: failure({ code: "timeout" }),
      model: MODEL,
      command,
    });
    expect(message).toContain("choose another model with: <--model <provider/model>>");
  });

  it("adds nothing to a message that is complete", () => {
    expect(advised({ code: "bad-request" })).toBe("acme failed.");
  });
});
