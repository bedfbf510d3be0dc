import { expect, it } from "vitest";
import { nearest } from "../src/nearest.ts";

const commands = ["memory", "prompt", "settings"];

it.for([
  ["memry", "memory"],
  ["mmeory", "memory"],
  ["MEMORY", "memory"],
  ["settigns", "settings"],
  ["prompts", "prompt"],
  ["deploy", undefined],
  ["x", undefined],
  ["", undefined],
  ["settings".repeat(100_000), undefined],
] as const)("nearest maps %j to %j", ([word, expected]) => {
  expect(nearest(word, commands)).toBe(expected);
});

it("nearest prefers the closer candidate, and the first of two equally close ones", () => {
  expect(nearest("cart", ["card", "carts", "cart"])).toBe("cart");
  expect(nearest("cat", ["bat", "rat"])).toBe("bat");
});
