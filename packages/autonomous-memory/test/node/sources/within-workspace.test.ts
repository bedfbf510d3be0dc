import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { isWithinWorkspace } from "../../../src/node/sources/within-workspace.ts";

interface Place {
  readonly root: string;
  readonly isOurs: (way: string) => boolean;
}

async function place(): Promise<Place> {
  const home = await temporaryDirectory();
  const root = join(home, "app");
  await writeFiles(root, { ".git/HEAD": "ref: refs/heads/main\n", "src/a.ts": "" });
  return {
    root,
    isOurs: (way) => isWithinWorkspace(join(root, way), { home, workspaceRoot: root }),
  };
}

describe("a directory in a workspace", () => {
  it("is of it, also when an empty .git is beside it", async () => {
    const { root, isOurs } = await place();
    mkdirSync(join(root, "src/.git"));
    await writeFiles(root, { "notes/.git": "nothing" });
    expect(["", "src", "src/gone", "notes"].map(isOurs)).toEqual([true, true, true, true]);
  });

  it.for([
    ["a repository", { "vendor/.git/HEAD": "ref: refs/heads/main\n" }],
    ["a submodule", { "vendor/.git": "gitdir: ../.git/modules/vendor\n" }],
    ["a worktree of another", { "vendor/.git": "gitdir: /else/.git/worktrees/vendor\n" }],
  ] as const)("is not of it when it is %s or in one", async ([, files]) => {
    const { root, isOurs } = await place();
    await writeFiles(root, { ...files, "vendor/lib/a.ts": "" });
    expect(["vendor", "vendor/lib", "vendor/gone/since"].map(isOurs)).toEqual([
      false,
      false,
      false,
    ]);
    rmSync(join(root, "vendor/.git"), { recursive: true });
    expect(isOurs("vendor/lib")).toBe(true);
  });

  it("is of it when it is a worktree of the same repository", async () => {
    const { root, isOurs } = await place();
    rmSync(join(root, ".git"), { recursive: true });
    const git = (...words: readonly string[]): Buffer =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        cwd: root,
        stdio: "pipe",
      });
    git("init");
    git("commit", "--allow-empty", "-m", "first");
    git("worktree", "add", "trees/one");
    expect(isOurs("trees/one")).toBe(true);
    execFileSync("git", ["init", "own"], { cwd: root, stdio: "pipe" });
    expect(isOurs("own")).toBe(false);
  });

  it("is the workspace itself and no other where that is the home", async () => {
    const home = await temporaryDirectory();
    mkdirSync(join(home, "project"));
    const isOurs = (directory: string, workspaceRoot: string): boolean =>
      isWithinWorkspace(directory, { home, workspaceRoot });
    expect(isOurs(home, home)).toBe(true);
    expect(isOurs(join(home, "project"), home)).toBe(false);
    expect(isOurs(join(home, "gone"), home)).toBe(false);
    expect(isOurs(home, "/")).toBe(false);
    expect(isOurs(join(home, "project"), join(home, "project"))).toBe(true);
  });
});
