import { describe, expect, it } from "vitest";
import { retryAtMs } from "../../src/run/retry-time.ts";

const SETTINGS = { retryDelaySeconds: 120 };

describe("retryAtMs", () => {
  it.for([
    [0, 120],
    [1, 240],
    [2, 480],
    [4, 1_920],
    [5, 3_600],
    [500, 3_600],
  ] as const)("waits after %i failures %i seconds", ([failuresBefore, seconds]) => {
    expect(retryAtMs(SETTINGS, { nowMs: 5_000, failuresBefore })).toBe(5_000 + seconds * 1_000);
  });

  it("waits as long as the provider asks, up to an hour", () => {
    const at = (retryAfterMs: number): number =>
      retryAtMs(SETTINGS, { nowMs: 0, failuresBefore: 0, retryAfterMs });
    expect(at(300_000)).toBe(300_000);
    expect(at(1_000)).toBe(120_000);
    expect(at(86_400_000)).toBe(3_600_000);
  });
});
