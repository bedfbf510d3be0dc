import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { isWithinWorkspace } from "../../../src/node/sources/within-workspace.ts";

interface Fixture {
  readonly root: string;
  readonly isWithin: (path: string) => boolean;
}

async function createFixture(): Promise<Fixture> {
  const home = await temporaryDirectory();
  const root = join(home, "app");
  await writeFiles(root, { ".git/HEAD": "ref: refs/heads/main\n", "src/a.ts": "" });
  return {
    root,
    isWithin: (path) => isWithinWorkspace(join(root, path), { home, workspaceRoot: root }),
  };
}

describe("isWithinWorkspace", () => {
  it("accepts a directory in the workspace, even next to an empty .git", async () => {
    const { root, isWithin } = await createFixture();
    mkdirSync(join(root, "src/.git"));
    await writeFiles(root, { "notes/.git": "nothing" });
    expect(["", "src", "src/gone", "notes"].map(isWithin)).toEqual([true, true, true, true]);
  });

  it.for([
    ["a repository", { "vendor/.git/HEAD": "ref: refs/heads/main\n" }],
    ["a submodule", { "vendor/.git": "gitdir: ../.git/modules/vendor\n" }],
    ["a worktree of another", { "vendor/.git": "gitdir: /else/.git/worktrees/vendor\n" }],
  ] as const)("rejects %s and directories in one", async ([, files]) => {
    const { root, isWithin } = await createFixture();
    await writeFiles(root, { ...files, "vendor/lib/a.ts": "" });
    expect(["vendor", "vendor/lib", "vendor/gone/since"].map(isWithin)).toEqual([
      false,
      false,
      false,
    ]);
    rmSync(join(root, "vendor/.git"), { recursive: true });
    expect(isWithin("vendor/lib")).toBe(true);
  });

  it("accepts a worktree of the same repository", async () => {
    const { root, isWithin } = await createFixture();
    rmSync(join(root, ".git"), { recursive: true });
    const git = (...words: readonly string[]): Buffer =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        cwd: root,
        stdio: "pipe",
      });
    git("init");
    git("commit", "--allow-empty", "-m", "first");
    git("worktree", "add", "trees/one");
    expect(isWithin("trees/one")).toBe(true);
    execFileSync("git", ["init", "own"], { cwd: root, stdio: "pipe" });
    expect(isWithin("own")).toBe(false);
  });

  it("accepts only the workspace itself if that is the home directory", async () => {
    const home = await temporaryDirectory();
    mkdirSync(join(home, "project"));
    const isWithin = (directory: string, workspaceRoot: string): boolean =>
      isWithinWorkspace(directory, { home, workspaceRoot });
    expect(isWithin(home, home)).toBe(true);
    expect(isWithin(join(home, "project"), home)).toBe(false);
    expect(isWithin(join(home, "gone"), home)).toBe(false);
    expect(isWithin(home, "/")).toBe(false);
    expect(isWithin(join(home, "project"), join(home, "project"))).toBe(true);
  });
});
