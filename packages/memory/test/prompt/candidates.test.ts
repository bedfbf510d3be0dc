import { expect, it } from "vitest";
import { autoCandidate, discover, type DiscoverInput, walkedDirectories } from "../../src/prompt/candidates.ts";
import { dirname } from "node:path/posix";

const input: DiscoverInput = {
  places: {
    configHome: "/c",
    globalFile: "/c/CLAUDE.md",
    projectHome: "/d/projects/app",
    memoryDirectory: "/d/projects/app/memory",
    isSharedDirectory: false,
    notices: [],
  },
  workspaceRoot: "/app",
  walkedDirectories: ["/app", "/app/src"],
  additionalDirectories: [],
  walk: true,
  style: "posix",
};
const paths = (changes: Partial<DiscoverInput>): readonly string[] =>
  discover({ ...input, ...changes }).map(({ path }) => path);

it("lists the files broad to narrow, with the three names of each directory", () => {
  expect(paths({})).toEqual([
    "/c/CLAUDE.md",
    "/app/.caliban.md",
    "/app/CLAUDE.md",
    "/app/AGENTS.md",
    "/app/CLAUDE.local.md",
    "/app/src/.caliban.md",
    "/app/src/CLAUDE.md",
    "/app/src/AGENTS.md",
  ]);
});

it("puts additional directories after the walk, without their local file", () => {
  expect(paths({ additionalDirectories: ["/lib"] }).slice(-3)).toEqual([
    "/lib/.caliban.md",
    "/lib/CLAUDE.md",
    "/lib/AGENTS.md",
  ]);
});

it("knows one file only when the walk is off", () => {
  expect(paths({ walk: false })).toEqual(["/c/CLAUDE.md", "/app/CLAUDE.md"]);
});

it("goes on without the tiers that have no place", () => {
  const places = { ...input.places, globalFile: undefined, autoDirectory: undefined };
  expect(paths({ places, walk: false })).toEqual(["/app/CLAUDE.md"]);
  expect(autoCandidate({ places, style: "posix" }, true)).toBeUndefined();
});

it("says when auto-memory is off", () => {
  expect(autoCandidate(input, true)).toEqual({
    tier: "auto",
    kind: "index",
    path: "/d/projects/app/memory/MEMORY.md",
  });
  expect(autoCandidate(input, false)).toMatchObject({ notLoaded: { reason: "TURNED_OFF" } });
});

const walk = (startDirectory: string, workspaceRoot: string, home?: string): readonly string[] =>
  walkedDirectories({ startDirectory, workspaceRoot, home, parentOf: dirname });

it.for([
  ["/app/a/b", "/app", undefined, ["/app", "/app/a", "/app/a/b"]],
  ["/app", "/app", undefined, ["/app"]],
  ["/home/me/x/y", "/", "/home/me", ["/home/me", "/home/me/x", "/home/me/x/y"]],
  ["/home/me", "/", "/home/me", ["/home/me"]],
  ["/x", "/", undefined, ["/", "/x"]],
] as const)("from %s in %s with home %j goes through %j", ([start, root, home, expected]) => {
  expect(walk(start, root, home)).toEqual(expected);
});

it("gives up after a few hundred directories", () => {
  expect(walk(`/${"a/".repeat(10_000)}b`, "/")).toHaveLength(256);
});
