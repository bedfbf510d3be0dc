import { describe, expect, it } from "vitest";
import { findLauncher } from "../../../src/permissions/shell/command-candidates.ts";

describe("findLauncher", () => {
  it.for([
    ["git status", undefined],
    ["sudoku x", undefined],
    ["x=", "x="],
    ["FOO=1 git", "FOO="],
    ["a[1]+=2 git", "a[1]+="],
    ["sudo git", "sudo"],
    ["  'su'do git", "sudo"],
    ["/usr/bin/env git", "/usr/bin/env"],
    ["--x=1", undefined],
    ["pnpm test", undefined],
    ["pnpm -r exec rm x", "pnpm"],
    ["docker ps", undefined],
    ["docker run --rm image ls", "docker"],
    ["npx vitest", "npx"],
    ["", undefined],
  ] as const)("finds the launcher of %j: %j", ([command, expected]) => {
    expect(findLauncher(command)).toBe(expected);
  });
});
