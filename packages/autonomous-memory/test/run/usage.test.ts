import { describe, expect, it } from "vitest";
import { credibleUsage } from "../../src/run/usage.ts";

const ESTIMATE = { inputTokens: 1_000, outputTokens: 50 };

describe("credibleUsage", () => {
  it("trusts a plausible report", () => {
    const reported = { inputTokens: 1_200, outputTokens: 70 };
    expect(credibleUsage(reported, ESTIMATE)).toEqual(reported);
  });

  it("uses the estimate without a report", () => {
    expect(credibleUsage(undefined, ESTIMATE)).toEqual(ESTIMATE);
  });

  it.for([-1, -1e9, 0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, 1e300, 100_000_001])(
    "uses the estimate instead of the implausible %d",
    (tokens) => {
      const reported = { inputTokens: tokens, outputTokens: tokens };
      expect(credibleUsage(reported, ESTIMATE)).toEqual(ESTIMATE);
    },
  );

  it("never trusts a report of next to nothing for an input", () => {
    expect(credibleUsage({ inputTokens: 0, outputTokens: 0 }, ESTIMATE)).toEqual({
      inputTokens: 250,
      outputTokens: 0,
    });
  });
});
