import { expect, it } from "vitest";
import { createKeyLocator } from "../src/locate-key.ts";
import { processorMs } from "../../../test/support/processor-time.ts";

const TEXT = `# settings
claude_md_excludes = [
  "a",
]

[memory] # the tiers
auto = true
  "cap_tokens_auto" = 1

[other.inner]
x = { y = 1, z = { w = 2 } }
dotted.key = 3

[[list]]
item = 1
`;

it.for([
  [["claude_md_excludes"], 2, 1],
  [["memory"], 6, 1],
  [["memory", "auto"], 7, 1],
  [["memory", "cap_tokens_auto"], 8, 3],
  [["other"], 10, 1],
  [["other", "inner", "x", "z", "w"], 11, 20],
  [["other", "inner", "dotted"], 12, 1],
  [["other", "inner", "dotted", "key"], 12, 1],
  [["list"], 14, 1],
] as const)("finds %j at line %j, column %j", ([segments, line, column]) => {
  expect(createKeyLocator(TEXT)(segments)).toEqual({ line, column });
});

it("finds nothing where there is nothing", () => {
  expect(createKeyLocator(TEXT)(["memory", "other"])).toBeUndefined();
});

it("takes linear time on a very long key", () => {
  const text = `[${Array(60_000).fill("a").join(".")}]\n`;
  const started = processorMs();
  createKeyLocator(text)(["a"]);
  expect(processorMs() - started).toBeLessThan(5_000);
});

it.for(["x = 1979-02-30", "not toml", `x = "${"a".repeat(130_000)}"`])(
  "does without a place where its parser gives up (%#)",
  (text) => {
    expect(createKeyLocator(text)(["x"])?.line ?? 1).toBe(1);
  },
);
