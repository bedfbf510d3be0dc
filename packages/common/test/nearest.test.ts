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
] as const)("takes %j for %j", ([word, expected]) => {
  expect(nearest(word, commands)).toBe(expected);
});

it("prefers the nearer of two, and the first of two equals", () => {
  expect(nearest("cart", ["card", "carts", "cart"])).toBe("cart");
  expect(nearest("cat", ["bat", "rat"])).toBe("bat");
});
