import { expect, it } from "vitest";
import { timeAgo } from "../src/time-ago.ts";

const MINUTE = 60_000;

it.for([
  [-5, "now"],
  [0.99, "now"],
  [1, "1 min ago"],
  [59, "59 min ago"],
  [60, "1 h ago"],
  [24 * 60 - 1, "23 h ago"],
  [24 * 60, "yesterday"],
  [48 * 60, "2 days ago"],
] as const)("%f minutes are %s", ([minutes, words]) => {
  expect(timeAgo(1_000, 1_000 + minutes * MINUTE)).toBe(words);
});
