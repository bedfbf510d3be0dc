import { describe, expect, it } from "vitest";
import type { ModelFailure } from "../../src/model/model-failure.ts";
import { retryDelayMs } from "../../src/model/retry.ts";

const POLICY = { maxRetries: 3, initialDelayMs: 100, maxDelayMs: 1000 };

const failure = (changes: Partial<ModelFailure> = {}): ModelFailure => ({
  code: "server",
  message: "x",
  isTransient: true,
  ...changes,
});

describe("the delay before a retry", () => {
  it.each([
    ["doubles with each retry", failure(), 2, 200],
    [
      "is as long as the provider asks for if that is longer",
      failure({ retryAfterMs: 900 }),
      1,
      900,
    ],
    [
      "is not shorter than usual if the provider asks for less",
      failure({ retryAfterMs: 1 }),
      3,
      400,
    ],
    ["does not exist for a permanent failure", failure({ isTransient: false }), 1, undefined],
    ["does not exist after the last retry", failure(), 4, undefined],
    [
      "does not exist if the provider asks for too long a wait",
      failure({ retryAfterMs: 1001 }),
      1,
      undefined,
    ],
  ])("the retry delay %s", (_, given, retry, delay) => {
    expect(retryDelayMs(given, retry, POLICY)).toBe(delay);
  });
});
