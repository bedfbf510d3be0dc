import { describe, expect, it } from "vitest";
import { shrinkOnOverflow } from "../../../src/node/run/shrink-input.ts";

const OVERFLOW = {
  kind: "failed",
  failure: { errorClass: "overflow", message: "too long" },
} as const;
const ANSWER = { kind: "fine" } as const;

describe("shrinkOnOverflow", () => {
  const sizes = async (maxTokens: number, fits: (tokens: number) => boolean) => {
    const asked: number[] = [];
    const answer = await shrinkOnOverflow<typeof ANSWER>(maxTokens, async (tokens) => {
      asked.push(tokens);
      return { reply: fits(tokens) ? ANSWER : OVERFLOW, usedTokens: tokens };
    });
    return { asked, answer };
  };

  it("sends one request when the input fits", async () => {
    expect(await sizes(32_000, () => true)).toEqual({ asked: [32_000], answer: ANSWER });
  });

  it("halves an input that is too large until it fits", async () => {
    const { asked, answer } = await sizes(32_000, (tokens) => tokens <= 8_000);
    expect(asked).toEqual([32_000, 16_000, 8_000]);
    expect(answer).toBe(ANSWER);
  });

  it("gives up after halving the input four times", async () => {
    const { asked, answer } = await sizes(32_000, () => false);
    expect(asked).toEqual([32_000, 16_000, 8_000, 4_000, 2_000]);
    expect(answer).toBe(OVERFLOW);
  });

  it("sends no request with a tiny input", async () => {
    expect((await sizes(1_200, () => false)).asked).toEqual([1_200, 600]);
  });

  it("halves the size that was used instead of a limit that was not reached", async () => {
    const asked: number[] = [];
    await shrinkOnOverflow<typeof ANSWER>(32_000, async (tokens) => {
      asked.push(tokens);
      return { reply: OVERFLOW, usedTokens: Math.min(tokens, 6_000) };
    });
    expect(asked).toEqual([32_000, 3_000, 1_500, 750]);
  });

  it("never repeats a request that failed for another reason", async () => {
    const other = { kind: "failed", failure: { errorClass: "permanent", message: "no" } } as const;
    let asked = 0;
    const answer = await shrinkOnOverflow<typeof ANSWER>(32_000, async () => {
      asked += 1;
      return { reply: other, usedTokens: 32_000 };
    });
    expect([asked, answer]).toEqual([1, other]);
  });
});
