import { describe, expect, it } from "vitest";
import type { ModelFailure } from "../../src/model/model-failure.ts";
import { retryDelayMs } from "../../src/model/retry.ts";

const POLICY = { maxRetries: 3, firstDelayMs: 100, longestDelayMs: 1000 };

const failure = (changes: Partial<ModelFailure> = {}): ModelFailure => ({
  code: "server",
  message: "x",
  isTransient: true,
  ...changes,
});

describe("the wait before a request is made again", () => {
  it.each([
    ["doubles", failure(), 2, 200],
    ["is as long as the provider says when that is longer", failure({ retryAfterMs: 900 }), 1, 900],
    ["is not shorter than usual when the provider says less", failure({ retryAfterMs: 1 }), 3, 400],
    ["is none for a failure that stays", failure({ isTransient: false }), 1, undefined],
    ["is none when the tries are used up", failure(), 4, undefined],
    ["is none when the provider wants too much", failure({ retryAfterMs: 1001 }), 1, undefined],
  ])("%s", (_, given, retry, delay) => {
    expect(retryDelayMs(given, retry, POLICY)).toBe(delay);
  });
});
