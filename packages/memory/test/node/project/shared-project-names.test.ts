import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { sharedProjectNames } from "../../../src/node/project/shared-project-names.ts";

async function git(directory: string, ...args: readonly string[]): Promise<void> {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  await promisify(execFile)("git", ["-C", directory, ...author, ...args]);
}

async function commit(directory: string, message: string): Promise<void> {
  await git(directory, "commit", "-q", "--allow-empty", "-m", message);
}

async function createRepository(): Promise<{ readonly home: string; readonly app: string }> {
  const home = await temporaryDirectory();
  const app = join(home, "app");
  await git(home, "init", "-q", "--initial-branch=main", app);
  await commit(app, "first");
  return { home, app };
}

async function namesOf(workspace: string): Promise<readonly string[]> {
  return await sharedProjectNames({ workspace });
}

describe("sharedProjectNames", () => {
  it("returns the same names in clones, worktrees and sub-directories, and after more commits", async () => {
    const { home, app } = await createRepository();
    const names = await namesOf(app);
    await git(home, "clone", "-q", app, join(home, "clone"));
    await git(app, "worktree", "add", "-q", join(home, "worktree"));
    await mkdir(join(app, "sub"));
    await commit(app, "second");
    for (const directory of ["app", "app/sub", "clone", "worktree"]) {
      expect(await namesOf(join(home, directory))).toEqual(names);
    }
    // Another history that is merged has a root of its own.
    await git(app, "checkout", "-q", "--orphan", "other");
    await commit(app, "other root");
    await git(app, "checkout", "-q", "main");
    await git(app, "merge", "-q", "--allow-unrelated-histories", "other");
    expect(await namesOf(app)).toEqual(names);
  });

  it("puts the name with the remote first, and prefers origin", async () => {
    const { app } = await createRepository();
    const [before] = await namesOf(app);
    await git(app, "remote", "add", "a", "https://example.com/other/fork.git");
    await git(app, "remote", "add", "origin", "https://me:token@example.com/acme/shop.git");
    expect(await namesOf(app)).toEqual([`${before}:example.com/acme/shop`, before]);
  });

  it("uses the name of the settings without looking at the directory", async () => {
    const workspace = await temporaryDirectory();
    expect(await sharedProjectNames({ workspace, project: "shop" })).toEqual(["name:shop"]);
  });

  it.each([
    ["a shallow clone", "git fetch --unshallow"],
    ["no commit", "git finds no commit"],
    ["no repository", "git finds no commit"],
  ])("refuses a directory with %s, and says what to set", async (kind, reason) => {
    const { home, app } = await createRepository();
    await commit(app, "second");
    const directory = join(home, "other");
    await mkdir(directory);
    if (kind === "a shallow clone")
      await git(home, "clone", "-q", "--depth=1", `file://${app}`, directory);
    if (kind === "no commit") await git(directory, "init", "-q");
    const refused = namesOf(directory);
    await expect(refused).rejects.toMatchObject({ code: "UNKNOWN_PROJECT" });
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.toThrow("caliban settings set memory.project NAME");
  });
});
