import { chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { gitDirectory, writeFiles } from "../../../../../test/support/write-files.ts";
import { findWorkspace } from "../../../src/node/project/workspace.ts";

it("finds the git top level above the start directory", async () => {
  const root = await temporaryDirectory();
  await writeFiles(root, gitDirectory("."));
  await mkdir(join(root, "src", "deep"), { recursive: true });
  expect(await findWorkspace(join(root, "src", "deep"))).toEqual({
    startDirectory: join(root, "src", "deep"),
    root,
    hasGitFile: false,
  });
});

it("accepts the .git file of a worktree or submodule as a top level", async () => {
  const root = await temporaryDirectory();
  await mkdir(join(root, "inner"));
  await writeFiles(root, gitDirectory("."));
  await writeFile(join(root, "inner", ".git"), "gitdir: ../.git\n");
  expect((await findWorkspace(join(root, "inner"))).root).toBe(join(root, "inner"));
});

it("rejects an incomplete .git as a repository", async () => {
  const root = await temporaryDirectory();
  await writeFiles(root, { ".git/HEAD": "", "a/.git": "gitdir: nowhere\n", "a/b/x": "" });
  const start = join(root, "a", "b");
  expect((await findWorkspace(start)).root).toBe(start);
});

it.runIf(process.getuid?.() === 0)(
  "ignores a repository above that another user owns",
  async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, { ...gitDirectory("."), "sub/x": "" });
    await chown(join(root, ".git"), 65_534, 65_534);
    expect(await findWorkspace(join(root, "sub"))).toMatchObject({
      root: join(root, "sub"),
      untrustedRoot: root,
    });
    expect((await findWorkspace(root)).root).toBe(root);
  },
);

it("uses the start directory as the root outside a repository", async () => {
  const root = await temporaryDirectory();
  expect(await findWorkspace(root)).toEqual({ startDirectory: root, root, hasGitFile: false });
});

it("returns the real path of a linked directory", async () => {
  const root = await temporaryDirectory();
  await mkdir(join(root, "real"));
  await symlink(join(root, "real"), join(root, "link"));
  expect((await findWorkspace(join(root, "link"))).root).toBe(join(root, "real"));
});

it("names a directory that does not exist or is not one", async () => {
  const root = await temporaryDirectory();
  await writeFile(join(root, "file"), "");
  await expect(findWorkspace(join(root, "gone"))).rejects.toMatchObject({
    code: "WORKSPACE_NOT_FOUND",
    message: `no such directory: ${join(root, "gone")}`,
  });
  await expect(findWorkspace(join(root, "file"))).rejects.toThrow("not a directory");
  await expect(findWorkspace("")).rejects.toThrow("no workspace directory given");
});
