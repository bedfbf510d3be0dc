import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";
import { createFileList } from "../../src/node/list-files.ts";

const env = { PATH: process.env["PATH"], ANTHROPIC_API_KEY: "sk-ant-made-up" };

const FILES = {
  ".gitignore": "*.log\n",
  "src/a.ts": "",
  "debug.log": "",
  "node_modules/x/index.js": "",
  ".hidden/b": "",
};

describe("the file list", () => {
  it("lists the files that git does not ignore", async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, { ...FILES, ".gitignore": "*.log\nnode_modules\n" });
    execFileSync("git", ["init", "-q"], { cwd: root });
    const files = await createFileList(root, { env, now: Date.now })();
    expect(files.toSorted()).toEqual([".gitignore", ".hidden/b", "src/a.ts"]);
  });

  it("walks the directory without a repository, and skips hidden and generated directories", async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, FILES);
    const files = await createFileList(root, { env, now: Date.now })();
    expect(files.toSorted()).toEqual([".gitignore", "debug.log", "src/a.ts"]);
  });

  it("never runs a program that the repository's configuration names", async () => {
    const root = await temporaryDirectory();
    const outside = await temporaryDirectory();
    execFileSync("git", ["init", "-q"], { cwd: root });
    const script = join(outside, "spy.sh");
    await writeFile(script, `#!/bin/sh\ntouch "${join(outside, "ran")}"\n`);
    await chmod(script, 0o755);
    execFileSync("git", ["config", "core.fsmonitor", script], { cwd: root });
    await writeFiles(root, { "a.ts": "" });
    expect(await createFileList(root, { env, now: Date.now })()).toContain("a.ts");
    expect(existsSync(join(outside, "ran"))).toBe(false);
  });

  it("never fetches missing objects with a program that the repository names", async () => {
    const root = await temporaryDirectory();
    const outside = await temporaryDirectory();
    const script = join(outside, "spy.sh");
    await writeFile(script, `#!/bin/sh\nenv > "${join(outside, "ran")}"\n`, { mode: 0o755 });
    const git = (...args: readonly string[]): string =>
      execFileSync("git", args, { cwd: root, encoding: "utf8" });
    git("init", "-q");
    await writeFiles(root, { ".gitignore": "*.log\n", "a.ts": "" });
    git("add", ".");
    git("update-index", "--skip-worktree", ".gitignore");
    const blob = git("rev-parse", ":.gitignore").trim();
    await rm(join(root, ".gitignore"));
    await rm(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
    for (const [key, value] of [
      ["core.repositoryformatversion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", `ext::${script}`],
      ["protocol.ext.allow", "always"],
    ] as const) {
      git("config", key, value);
    }
    // An untracked file, so that the ignore rules have to be read.
    await writeFiles(root, { "untracked.ts": "" });
    await createFileList(root, { env, now: Date.now })();
    expect(existsSync(join(outside, "ran"))).toBe(false);
  });

  it("lists the files again when the list is too old", async () => {
    const root = await temporaryDirectory();
    let now = 0;
    const list = createFileList(root, { env, now: () => now });
    expect(await list()).toEqual([]);
    await writeFiles(root, { "new.ts": "" });
    expect(await list()).toEqual([]);
    now = 11_000;
    expect(await list()).toEqual(["new.ts"]);
  });
});
