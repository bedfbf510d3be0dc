import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, chown, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { makeSearchable } from "../../../src/node/sandbox/make-searchable.ts";
import { createSandboxHome, git, hasBubblewrap } from "../../support/sandbox-home.ts";

describe.skipIf(!hasBubblewrap)("undoing what a command did to protected files", () => {
  it("touches nothing outside of the workspace, even if a directory became a link", async () => {
    const { run, root, home } = await createSandboxHome({ mode: "on" });
    await mkdir(join(root, "linked"));
    await symlink(join(root, "work/a.txt"), join(root, "linked/.bashrc"));
    await run(`mv linked work/linked; ln -s "$HOME" linked`);
    expect(readlinkSync(join(root, "linked"))).toBe(home);
    expect(lstatSync(join(home, ".bashrc")).isFile()).toBe(true);
    expect(readFileSync(join(home, ".bashrc"), "utf8")).toBe("# mine\n");
  });

  it("takes a new Git directory apart, whatever its name is", async () => {
    const { run, root } = await createSandboxHome({ mode: "on" });
    await run("git init -q --bare sub/b; git -C sub/b config core.fsmonitor evil");
    expect(readdirSync(join(root, "sub/b"))).toEqual(
      expect.arrayContaining(["HEAD.blocked", "config.blocked", "hooks.blocked"]),
    );
    expect(existsSync(join(root, "sub/b/HEAD"))).toBe(false);
  });

  it("protects a Git directory that was there before, whatever its name is", async () => {
    const { run, root, home } = await createSandboxHome({ mode: "on" });
    git(home, root, "init", "--quiet", "--bare", "sub/b");
    const { text } = await run("git -C sub/b config core.fsmonitor evil; mv sub/b work; ls sub/b");
    expect(text).toContain("Device or resource busy");
    expect(readFileSync(join(root, "sub/b/config"), "utf8")).not.toContain("evil");
  });

  it("finds protected files in directories whose names are not valid UTF-8", async () => {
    const { run, root } = await createSandboxHome({ mode: "on" });
    const { text } = await run(
      String.raw`mkdir -p x/$'a\xff'/$'b\xfe'; echo evil > x/$'a\xff'/$'b\xfe'/.envrc`,
    );
    const directory = join(root, "x/a\uFFFD/b\uFFFD");
    expect(readdirSync(directory)).toEqual([".envrc.blocked"]);
    expect(text).toContain("names were not valid UTF-8 were renamed");
  });

  it.for(["", "mv .git/rebase-merge work/old; ln -s ../work/x .git/rebase-merge; "])(
    "takes commands away that were added to a rebase in progress: %j",
    async (first) => {
      const { run, root } = await createSandboxHome({ mode: "on" });
      const steps = join(root, ".git/rebase-merge/git-rebase-todo");
      await mkdir(join(root, ".git/rebase-merge"));
      await writeFile(steps, "pick 1\nexec make\n");
      await run("sed -i 1d .git/rebase-merge/git-rebase-todo");
      expect(readFileSync(steps, "utf8")).toBe("exec make\n");
      await run(`mkdir work/x; ${first}echo 'exec evil' >> .git/rebase-merge/git-rebase-todo`);
      expect(existsSync(steps) ? readFileSync(steps, "utf8") : "").not.toContain("evil");
    },
  );

  it.for([
    ["a link", "mkdir missing; echo evil > missing/rules", "missing/rules"],
    ["a link", "mkdir work/x; echo evil > work/x/rules; ln -s work/x missing", "missing"],
    ["the Git configuration", "mkdir -p my/hooks; echo evil > my/hooks/pre-commit", "my/hooks"],
  ] as const)("moves a file away that %s was waiting for: %s", async ([, command, path]) => {
    const { run, root, home } = await createSandboxHome({ mode: "on" });
    await mkdir(join(root, ".claude"));
    await symlink("../missing/rules", join(root, ".claude/rules"));
    git(home, root, "config", "core.hooksPath", "my/hooks");
    await run(command);
    expect(existsSync(join(root, `${path}.blocked`))).toBe(true);
    expect(existsSync(join(root, path))).toBe(false);
  });
});

describe("makeSearchable", () => {
  it("lets the owner list directories that only the name leads into", async () => {
    const directory = await temporaryDirectory();
    const [outer, inner] = [join(directory, "a"), join(directory, "a/b")];
    await mkdir(inner, { recursive: true });
    await writeFile(join(inner, ".envrc"), "");
    for (const path of [inner, outer]) {
      if (process.geteuid?.() === 0) await chown(path, 65_534, 65_534);
      await chmod(path, 0o300);
    }
    await chmod(directory, 0o755);
    await withoutPrivileges(async () => {
      expect(() => readdirSync(outer)).toThrow("EACCES");
      makeSearchable(outer);
      expect(readdirSync(inner)).toEqual([".envrc"]);
    });
  });
});
