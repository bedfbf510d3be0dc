import { expect, it } from "vitest";
import { createKeyLocator } from "../../src/file/locate-key.ts";

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
] as const)("createKeyLocator finds %j at line %j, column %j", ([segments, line, column]) => {
  expect(createKeyLocator(TEXT)(segments)).toEqual({ line, column });
});

it("createKeyLocator returns undefined for a key that is not in the file", () => {
  expect(createKeyLocator(TEXT)(["memory", "other"])).toBeUndefined();
});

// Naming every step of this key would take gigabytes.
it("createKeyLocator finds the start of a key with 60,000 steps", () => {
  const text = `[${Array(60_000).fill("a").join(".")}]\n`;
  expect(createKeyLocator(text)(["a"])).toEqual({ line: 1, column: 1 });
});

it.for(["x = 1979-02-30", "not toml", `x = "${"a".repeat(130_000)}"`])(
  "createKeyLocator does not throw for a text that its parser rejects (%#)",
  (text) => {
    expect(createKeyLocator(text)(["x"])?.line ?? 1).toBe(1);
  },
);
