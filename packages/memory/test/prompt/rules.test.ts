import * as fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { isSafeGlob, parseRule } from "../../src/prompt/rules.ts";

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
    ["---\npaths: [a, b]\n---\nBody", ["a", "b"], "Body"],
    ["---\npaths: ~\n---\n", undefined, ""],
    ["---\na: |\n  b\npaths: a,b\n---\n", ["a", "b"], ""],
    ["---\na: &x b\n---\n", undefined, ""],
  ] as const)("parses %j as a rule for the paths %j", async ([text, paths, body]) => {
    expect(await parseRule(text)).toEqual({ kind: "rule", paths, body });
  });

  it.for([
    ["---js\nprocess.exit()\n---\n", "instead of a plain ---"],
    ["---\npaths: a\n", "not closed"],
    ["---\npaths: true\n---\n", "paths must be a string or a list of globs, not true"],
    ["---\npaths: a*a*a*a*a*b\n---\n", "is not supported"],
    [`---\npaths: src/${"{a,b}".repeat(7)}\n---\n`, "is not supported"],
    ["---\npaths: src/+(a)\n---\n", "is not supported"],
    ["---\npaths: 3\n---\n", "must be a string or a list of globs, not 3"],
    ["---\npaths: [3]\n---\n", "must be a string or a list of globs, not [3]"],
    ["---\npaths: []\n---\n", "paths is empty"],
    [`---\npaths: [${"a,".repeat(65)}]\n---\n`, "more than 64 globs"],
    ["---\npaths: [a\n---\n", "not valid YAML"],
    ["---\na: &x b\nc: *x\n---\n", "not valid YAML"],
  ] as const)("rejects %j with a message that contains %j", async ([text, message]) => {
    expect(await parseRule(text)).toEqual({
      kind: "broken",
      message: expect.stringContaining(message),
    });
  });
});

it.for([
  ["src/**/*.ts", true],
  ["*a*a*b", true],
  ["*a*a*a*b", false],
  ["a".repeat(257), false],
  ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", true],
  ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", false],
  ["!(a)", false],
  ["(a+)+b", false],
  ["[a-z]+[a-z]+[a-z]+x", false],
  ["{a,aa}+{a,aa}+x", false],
  ["src/routes/+page.svelte", true],
  [String.raw`app/\(shop\)/page.tsx`, true],
  [String.raw`\\(a+\\)+b`, false],
  ["*a*/*b*", true],
  ["*a*/*b*/*c*", false],
  ["src/*/*/*.ts", true],
  ["**/a/**/a/**/a", true],
  ["**/a/**/a/**/a/**/b", false],
  ["", false],
] as const)("decides that the glob %j is safe to match: %j", ([glob, expected]) => {
  expect(isSafeGlob(glob)).toBe(expected);
});

it("matches every safe glob in reasonable time", () => {
  const parts = fc.constantFrom(
    "a",
    "b",
    "*",
    "**",
    "/",
    "?",
    "[a-z]",
    "{a,aa}",
    "+",
    "(",
    ")",
    "\\",
  );
  const paths = ["a".repeat(60), "a/".repeat(30), `${"ab".repeat(30)}!`];
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 14 }), (all) => {
      const glob = all.join("");
      if (!isSafeGlob(glob)) return;
      const options = { dot: true, noextglob: true };
      // Repetition of a group is what takes forever; stars are limited.
      expect(String(picomatch.makeRe(glob, options))).not.toMatch(/[^\\][\])]\+/);
      for (const path of paths) picomatch(glob, options)(path);
    }),
    { numRuns: 2_000 },
  );
});
