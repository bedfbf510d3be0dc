/** Dollars per million tokens. */
interface TokenPrices {
  /** Input that is neither read from a cache nor written to one. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** The list price of a model. A request with a long prompt may cost more as a whole. */
export interface ModelPrice extends TokenPrices {
  readonly long?: { readonly aboveInputTokens: number } & TokenPrices;
}

/** When the prices were last compared with the providers' pages. They may have changed since. */
export const PRICES_DATE = "2026-11-18";

const OPUS_5: ModelPrice = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const OPUS_4: ModelPrice = { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 };
const SONNET_4: ModelPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/** List prices of the standard tier by `provider/model`. A model is listed only if its prices are certain. */
export const PRICES: Readonly<Record<string, ModelPrice>> = {
  "anthropic/claude-fable-5-1": { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
  "anthropic/claude-fable-5": { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  "anthropic/claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  "anthropic/claude-opus-5": OPUS_5,
  "anthropic/claude-opus-4-8": OPUS_5,
  "anthropic/claude-opus-4-7": OPUS_5,
  "anthropic/claude-opus-4-6": OPUS_5,
  "anthropic/claude-opus-4-5": OPUS_5,
  "anthropic/claude-opus-4-1": OPUS_4,
  "anthropic/claude-opus-4": OPUS_4,
  "anthropic/claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  "anthropic/claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  "anthropic/claude-sonnet-4-6": SONNET_4,
  "anthropic/claude-sonnet-4-5": SONNET_4,
  "anthropic/claude-sonnet-4": SONNET_4,
  "anthropic/claude-haiku-5-5": {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    long: {
      aboveInputTokens: 100_000,
      input: 0.5,
      output: 2.5,
      cacheRead: 0.05,
      cacheWrite: 0.625,
    },
  },
  "anthropic/claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "openai/gpt-6.1-sol": {
    input: 2,
    output: 10,
    cacheRead: 0.1,
    cacheWrite: 2.5,
    long: {
      aboveInputTokens: 272_000,
      input: 4,
      output: 15,
      cacheRead: 0.2,
      cacheWrite: 5,
    },
  },
  "openai/gpt-6.1-terra": {
    input: 1,
    output: 5,
    cacheRead: 0.05,
    cacheWrite: 1.25,
    long: {
      aboveInputTokens: 272_000,
      input: 2,
      output: 7.5,
      cacheRead: 0.1,
      cacheWrite: 2.5,
    },
  },
  // It runs in this process.
  "offline/rehearsal": { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};
