import { describe, expect, it } from "vitest";
import { credibleUsage } from "../src/credible-usage.ts";

const ESTIMATE = { inputTokens: 1_000, outputTokens: 50 };

describe("bookedUsage", () => {
  it("believes a provider that reports what can be true", () => {
    const reported = { inputTokens: 1_200, outputTokens: 70 };
    expect(credibleUsage(reported, ESTIMATE)).toEqual(reported);
  });

  it("takes the estimate where nothing is reported", () => {
    expect(credibleUsage(undefined, ESTIMATE)).toEqual(ESTIMATE);
  });

  it.for([-1, -1e9, 0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, 1e300, 100_000_001])(
    "takes the estimate for %d, which no model needs",
    (tokens) => {
      const reported = { inputTokens: tokens, outputTokens: tokens };
      expect(credibleUsage(reported, ESTIMATE)).toEqual(ESTIMATE);
    },
  );

  it("does not believe that an input costs next to nothing", () => {
    expect(credibleUsage({ inputTokens: 0, outputTokens: 0 }, ESTIMATE)).toEqual({
      inputTokens: 250,
      outputTokens: 0,
    });
  });
});
