import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { createAppliesMatcher, matchesCommand } from "../../src/notes/applies.ts";
import type { IndexedNote } from "../../src/notes/note-index.ts";

function topic(
  slug: string,
  paths: readonly string[],
  commands: readonly string[] = [],
): IndexedNote {
  return {
    entry: `topics:${slug}`,
    number: 0,
    passage: 0,
    at: "",
    kind: "topic",
    atMs: 0,
    strength: 1,
    amends: false,
    isGeneral: false,
    own: [],
    near: [],
    applies: { paths, commands },
  };
}

const matcher = (...topics: readonly IndexedNote[]) =>
  createAppliesMatcher(topics, (glob) => picomatch(glob, { dot: true, noextglob: true }));

describe("createAppliesMatcher", () => {
  it.for([
    ["src/db/**", "src/db/pool.ts", true],
    ["src/db/", "src/db/pool.ts", true],
    ["/src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/db/pool.ts", false],
    ["src/db/**", "src/dbx/pool.ts", false],
    ["**/*.{ts,tsx}", "web/a.tsx", true],
    ["README.md", "README.md", true],
  ] as const)("matches the glob %s with %s: %s", ([glob, path, expected]) => {
    expect(matcher(topic("a", [glob])).toPath(path)).toHaveLength(expected ? 1 : 0);
  });

  it("ignores globs that could take forever to match", () => {
    const globs = ["*a*a*a*a*a*/*a*a*a*a*b", "**/**/**/**/**/x", "{a,b}".repeat(12), "+(a|aa)+"];
    const found = matcher(topic("a", globs), topic("b", ["**"])).toPath(`${"a".repeat(200)}/c`);
    expect(found.map(({ note }) => note.entry)).toEqual(["topics:b"]);
  });

  it("finds the most specific pattern of a topic", () => {
    const [found] = matcher(topic("a", ["**", "src/db/*.ts"])).toPath("src/db/pool.ts");
    expect(found?.specificity).toBe("src/db/.ts".length);
  });

  it("finds a command anywhere in a line", () => {
    const { toCommand } = matcher(topic("a", [], ["npm *"]));
    expect(toCommand("cd app && CI=1 npm install").length).toBe(1);
    expect(toCommand("pnpm install").length).toBe(0);
  });
});

describe("matchesCommand", () => {
  it.for([
    ["npm *", "npm", true],
    ["npm *", "npm install", true],
    ["npm *", "npmx", false],
    ["npm:*", "npm test", true],
    ["npm test", "npm test", true],
    ["npm test", "npm test --watch", false],
    ["git push * main", "git push origin main", true],
    ["", "npm", false],
  ] as const)("matches %j with %j: %s", ([pattern, command, expected]) => {
    expect(matchesCommand(pattern, command)).toBe(expected);
  });
});
