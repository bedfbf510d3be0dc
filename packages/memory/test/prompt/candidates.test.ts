import { dirname } from "node:path/posix";
import { describe, expect, it } from "vitest";
import {
  gatherCandidates,
  type GatherInput,
  walkedDirectories,
} from "../../src/prompt/candidates.ts";

const INDEX = "/d/projects/app/memory/MEMORY.md";
const input: GatherInput = {
  locations: {
    globalFile: "/c/CLAUDE.md",
    projectHome: "/d/projects/app",
    memoryDirectory: "/d/projects/app/memory",
    userMemoryDirectory: "/d/user/memory",
    isSharedDirectory: false,
    notices: [],
  },
  workspaceRoot: "/app",
  walkedDirectories: ["/app", "/app/src"],
  additionalDirectories: [],
  rules: [],
  walk: true,
  autoMemory: true,
  teamMemory: true,
  userMemory: "absent",
  style: "posix",
};
const paths = (changes: Partial<GatherInput>): readonly string[] =>
  gatherCandidates({ ...input, ...changes }).map(({ path }) => path);

describe("gatherCandidates", () => {
  it("lists the files from broad to narrow, with the three names of each directory", () => {
    expect(paths({})).toEqual([
      "/c/CLAUDE.md",
      "/app/.caliban.md",
      "/app/CLAUDE.md",
      "/app/AGENTS.md",
      "/app/CLAUDE.local.md",
      "/app/src/.caliban.md",
      "/app/src/CLAUDE.md",
      "/app/src/AGENTS.md",
      INDEX,
    ]);
  });

  it("lists the index of the user before that of the project, if there is one", () => {
    expect(paths({ userMemory: "on" }).slice(-2)).toEqual(["/d/user/memory/MEMORY.md", INDEX]);
  });

  it("lists additional directories after the walk, without their local file, and rules after both", () => {
    const rule = { tier: "project", kind: "rule", path: "/app/.caliban/rules/a.md" } as const;
    expect(paths({ additionalDirectories: ["/lib"], rules: [rule] }).slice(-5)).toEqual([
      "/lib/.caliban.md",
      "/lib/CLAUDE.md",
      "/lib/AGENTS.md",
      rule.path,
      INDEX,
    ]);
  });

  it("lists one project file when the walk is turned off", () => {
    expect(paths({ walk: false })).toEqual(["/c/CLAUDE.md", "/app/CLAUDE.md", INDEX]);
  });

  it("leaves out the tiers that have no location", () => {
    const locations = { ...input.locations, globalFile: undefined, memoryDirectory: undefined };
    expect(paths({ locations, walk: false })).toEqual(["/app/CLAUDE.md"]);
  });

  it("marks the index as turned off when auto-memory is", () => {
    const index = { tier: "auto", kind: "index", path: INDEX };
    expect(gatherCandidates(input).at(-1)).toEqual(index);
    expect(gatherCandidates({ ...input, autoMemory: false }).at(-1)).toEqual({
      ...index,
      isTurnedOff: true,
    });
  });
});

const walk = (startDirectory: string, workspaceRoot: string, home?: string): readonly string[] =>
  walkedDirectories({ startDirectory, workspaceRoot, home, parentOf: dirname });

describe("walkedDirectories", () => {
  it.for([
    ["/app/a/b", "/app", undefined, ["/app", "/app/a", "/app/a/b"]],
    ["/app", "/app", undefined, ["/app"]],
    ["/home/me/x/y", "/", "/home/me", ["/home/me", "/home/me/x", "/home/me/x/y"]],
    ["/home/me", "/", "/home/me", ["/home/me"]],
    ["/x", "/", undefined, ["/", "/x"]],
  ] as const)(
    "walks from %s in the workspace %s with the home %j through %j",
    ([start, root, home, expected]) => {
      expect(walk(start, root, home)).toEqual(expected);
    },
  );

  it("stops after 256 directories", () => {
    expect(walk(`/${"a/".repeat(10_000)}b`, "/")).toHaveLength(256);
  });
});
