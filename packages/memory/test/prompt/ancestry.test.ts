import { dirname } from "node:path/posix";
import { expect, it } from "vitest";
import { walkedDirectories } from "../../src/prompt/candidates.ts";

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
