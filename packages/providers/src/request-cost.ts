import type { Usage } from "@caliban/agent-core";
import { type ModelPrice, PRICES } from "./prices.ts";

/** What was spent so far, in dollars. */
export interface Cost {
  readonly dollars: number;
  /** The models without a known price, whose requests are not part of the sum. */
  readonly unpriced: readonly string[];
}

/** Nothing spent yet. */
export const NO_COST: Cost = { dollars: 0, unpriced: [] };

/** What one request costs at list prices; `undefined` for a model without a known price. */
export function requestCost(modelName: string, usage: Usage): number | undefined {
  const price = findPrice(modelName);
  if (price === undefined) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const isLong = price.long !== undefined && inputTokens > price.long.aboveInputTokens;
  const { input, output, cacheRead, cacheWrite } = isLong ? price.long : price;
  const plainTokens = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const total =
    plainTokens * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    outputTokens * output;
  return total / 1_000_000;
}

/** Adds a request to what was spent before. */
export function addCost(cost: Cost, modelName: string, usage: Usage): Cost {
  const dollars = requestCost(modelName, usage);
  if (dollars !== undefined) return { ...cost, dollars: cost.dollars + dollars };
  if (cost.unpriced.includes(modelName)) return cost;
  return { ...cost, unpriced: [...cost.unpriced, modelName] };
}

/** An amount as it is shown: cents, and more digits for less than a cent. */
export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(dollars > 0 && dollars < 0.01 ? 4 : 2)}`;
}

/** A dated name, such as `claude-opus-4-5-20251101`, has the price of its model. */
function findPrice(modelName: string): ModelPrice | undefined {
  const name = modelName.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d)$/, "");
  return Object.hasOwn(PRICES, name) ? PRICES[name] : undefined;
}
