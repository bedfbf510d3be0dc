import { describe, expect, it } from "vitest";
import { isSafeGlob, parseRule, ruleOf } from "../../src/prompt/rules.ts";

describe("parseRule", () => {
  it.for([
    ["Test first.\n", undefined, "Test first.\n"],
    ["---\ndescription: x\n---\n\nBody\n", undefined, "\nBody\n"],
    ["---\npaths: src/**/*.ts\n---\nBody\n", ["src/**/*.ts"], "Body\n"],
    ['---\npaths: "src/**, test/**"\n---\n', ["src/**", "test/**"], ""],
    [
      "---\npaths:\n  - src/**\n  # both\n  - 'test/{a,b}.ts'\n---\nBody",
      ["src/**", "test/{a,b}.ts"],
      "Body",
    ],
    ["---\npaths: src/*.{ts,tsx}\n---\n", ["src/*.{ts,tsx}"], ""],
    ["---\npaths:\n---\nBody", undefined, "Body"],
    ["-----\nnot a header\n", undefined, "-----\nnot a header\n"],
  ] as const)("reads %j for the paths %j", ([text, paths, body]) => {
    expect(parseRule(text)).toEqual({ kind: "rule", paths, body });
  });

  it.for([
    ["---js\nprocess.exit()\n---\n", "only a plain --- is read"],
    ["---\npaths: a\n", "never ends"],
    ["---\npaths: true\n---\n", "paths must be a list of globs or a text, not true"],
    ["---\npaths: a*a*a*a*a*b\n---\n", "is not read"],
    [`---\npaths: src/${"{a,b}".repeat(7)}\n---\n`, "is not read"],
    ["---\npaths: src/+(a)\n---\n", "is not read"],
  ] as const)("refuses %j: %s", ([text, problem]) => {
    expect(parseRule(text)).toEqual({ kind: "broken", problem: expect.stringContaining(problem) });
  });

  it.for([
    "---\npaths: [a, b]\n---\n",
    "---\npaths: 3\n---\n",
    "---\na: &x b\n---\n",
    "---\na: |\n  b\n---\n",
  ])("leaves %j to a YAML parser", (text) => {
    expect(parseRule(text).kind).toBe("yaml");
  });
});

it.for([
  [undefined, "rule"],
  [null, "rule"],
  [["a"], "rule"],
  ["a,b", "rule"],
  [3, "broken"],
  [[3], "broken"],
  [[], "broken"],
  [Array(65).fill("a"), "broken"],
] as const)("makes of the paths %j a %s", ([paths, kind]) => {
  expect(ruleOf(paths, "").kind).toBe(kind);
});

it.for([
  ["src/**/*.ts", true],
  ["*a*a*a*a", true],
  ["*a*a*a*a*b", false],
  ["a".repeat(257), false],
  ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", true],
  ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", false],
  ["!(a)", false],
  ["(a+)+b", false],
  ["*a*/*b*", false],
  ["src/*/*/*.ts", true],
  ["**/a/**/a/**/a/**/a", true],
  ["**/a/**/a/**/a/**/a/**/b", false],
  ["", false],
] as const)("takes the glob %j for safe: %j", ([glob, expected]) => {
  expect(isSafeGlob(glob)).toBe(expected);
});
