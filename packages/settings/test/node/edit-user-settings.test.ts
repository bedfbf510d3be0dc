import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../test/support/without-privileges.ts";
import { editUserSettings } from "../../src/node/edit-user-settings.ts";

const run = promisify(execFile);
const user = { platform: "linux", home: "/home/me" } as const;
const edit = { action: "set", key: "memory.auto", args: ["false"] } as const;

it("editUserSettings creates the file and its directory for the owner only", async () => {
  const path = join(await temporaryDirectory(), "config", "caliban", "settings.toml");
  expect(await editUserSettings({ path, edit, ...user })).toEqual({
    key: "memory.auto",
    changed: true,
  });
  expect(await readFile(path, "utf8")).toBe("[memory]\nauto = false\n");
  expect(await editUserSettings({ path, edit, ...user })).toEqual({
    key: "memory.auto",
    changed: false,
  });
  if (process.platform === "win32") return;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it("editUserSettings writes through a link and keeps the link", async () => {
  const directory = await temporaryDirectory();
  const target = join(directory, "dotfiles.toml");
  const path = join(directory, "settings.toml");
  await writeFile(target, "# mine\n");
  await symlink(target, path);
  await editUserSettings({ path, edit, ...user });
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect(await readFile(target, "utf8")).toBe("# mine\n\n[memory]\nauto = false\n");
});

it("editUserSettings creates the file that a dangling link names", async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, "settings.toml");
  await symlink("dotfiles.toml", path);
  await editUserSettings({ path, edit, ...user });
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect(await readFile(join(directory, "dotfiles.toml"), "utf8")).toBe("[memory]\nauto = false\n");
});

it("editUserSettings keeps every one of many concurrent edits", async () => {
  const path = join(await temporaryDirectory(), "settings.toml");
  const edits = [
    ["memory.auto", "false"],
    ["memory.directory", "/notes"],
    ["memory.cap_tokens_auto", "1"],
    ["memory.cap_tokens_claude_md", "2"],
    ["memory.cap_tokens_combined", "3"],
    ["claude_md_excludes", "docs"],
  ] as const;
  const writers = edits.map(([key, word]) =>
    run(process.execPath, [
      "--conditions=caliban:source",
      "--no-warnings",
      join(import.meta.dirname, "set-setting.process.ts"),
      path,
      key,
      word,
    ]),
  );
  await Promise.all(writers);
  const text = await readFile(path, "utf8");
  for (const [key] of edits) expect(text).toContain(`${key.split(".").at(-1)} = `);
  expect(await readdir(dirname(path))).toEqual(["settings.toml"]);
});

it("editUserSettings does not write a file that is too large to read", async () => {
  const path = join(await temporaryDirectory(), "settings.toml");
  await writeFile(path, "#".repeat(1024 * 1024));
  await expect(editUserSettings({ path, edit, ...user })).rejects.toThrow("exceed 1 MiB");
  expect((await stat(path)).size).toBe(1024 * 1024);
});

it("editUserSettings leaves an invalid file untouched and reports the line", async () => {
  const path = join(await temporaryDirectory(), "settings.toml");
  await writeFile(path, "[memory]\ncap_tokens_auto = 'x'\n");
  await expect(editUserSettings({ path, edit, ...user })).rejects.toMatchObject({
    problems: [{ code: "WRONG_TYPE", path, line: 2, column: 1 }],
  });
  expect(await readFile(path, "utf8")).toBe("[memory]\ncap_tokens_auto = 'x'\n");
});

it("editUserSettings repairs the value that is invalid", async () => {
  const path = join(await temporaryDirectory(), "settings.toml");
  await writeFile(path, "[memory]\nauto = 'x' # why not\n");
  await editUserSettings({ path, edit, ...user });
  expect(await readFile(path, "utf8")).toBe("[memory]\nauto = false # why not\n");
});

it.skipIf(process.platform === "win32")(
  "editUserSettings reports a read-only directory and leaves no files behind",
  async () => {
    const directory = join(await temporaryDirectory(), "config");
    await mkdir(directory);
    await chmod(join(directory, ".."), 0o755);
    await chmod(directory, 0o555);
    const path = join(directory, "settings.toml");
    await expect(
      withoutPrivileges(() => editUserSettings({ path, edit, ...user })),
    ).rejects.toThrow(`${path}: cannot write the settings (EACCES); nothing was changed.`);
    expect(await readdir(directory)).toEqual([]);
  },
);

it("editUserSettings reports a file in place of the directory", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "config"), "");
  const path = join(directory, "config", "settings.toml");
  await expect(editUserSettings({ path, edit, ...user })).rejects.toMatchObject({
    code: "FILE_UNWRITABLE",
  });
});
