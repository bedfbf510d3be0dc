import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { gitBranch } from "../../src/node/git-branch.ts";

it("finds the branch of a repository and of an additional worktree, and a commit without a branch", async () => {
  const root = join(await temporaryDirectory(), "repository");
  await mkdir(root);
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      encoding: "utf8",
      stdio: "pipe",
    });
  expect(gitBranch(root)).toBeUndefined();
  git("init", "-q", "-b", "topic/one");
  expect(gitBranch(root)).toBe("topic/one");
  git("commit", "-q", "--allow-empty", "-m", "first");
  git("worktree", "add", "-q", "-b", "two", join(root, "../two"));
  expect(gitBranch(join(root, "../two"))).toBe("two");
  git("checkout", "-q", "--detach");
  expect(gitBranch(root)).toBe(git("rev-parse", "HEAD").slice(0, 7));
});

it("shows nothing for a file that Git would not have written", async () => {
  const root = await temporaryDirectory();
  await mkdir(join(root, ".git"));
  for (const text of ["", "ref: refs/heads/a b\nc", "ref: ../x", "\u001B[2J", "x".repeat(5000)]) {
    await writeFile(join(root, ".git", "HEAD"), text);
    expect(gitBranch(root)).toBeUndefined();
  }
});
