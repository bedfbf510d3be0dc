import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";
import { createFileList } from "../../src/terminal/list-files.ts";

const FILES = {
  ".gitignore": "*.log\n",
  "src/a.ts": "",
  "debug.log": "",
  "node_modules/x/index.js": "",
  ".hidden/b": "",
};

describe("the files to complete", () => {
  it("are those that git does not ignore", async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, { ...FILES, ".gitignore": "*.log\nnode_modules\n" });
    execFileSync("git", ["init", "-q"], { cwd: root });
    const files = await createFileList(root, Date.now)();
    expect(files.toSorted()).toEqual([".gitignore", ".hidden/b", "src/a.ts"]);
  });

  it("are walked where there is no repository, without what is hidden or built", async () => {
    const root = await temporaryDirectory();
    await writeFiles(root, FILES);
    const files = await createFileList(root, Date.now)();
    expect(files.toSorted()).toEqual([".gitignore", "debug.log", "src/a.ts"]);
  });

  it("are listed without running what a repository's configuration names", async () => {
    const root = await temporaryDirectory();
    const outside = await temporaryDirectory();
    execFileSync("git", ["init", "-q"], { cwd: root });
    const script = join(outside, "spy.sh");
    await writeFile(script, `#!/bin/sh\ntouch "${join(outside, "ran")}"\n`);
    await chmod(script, 0o755);
    execFileSync("git", ["config", "core.fsmonitor", script], { cwd: root });
    await writeFiles(root, { "a.ts": "" });
    expect(await createFileList(root, Date.now)()).toContain("a.ts");
    expect(existsSync(join(outside, "ran"))).toBe(false);
  });

  it("are looked for again when the list has grown old", async () => {
    const root = await temporaryDirectory();
    let now = 0;
    const list = createFileList(root, () => now);
    expect(await list()).toEqual([]);
    await writeFiles(root, { "new.ts": "" });
    expect(await list()).toEqual([]);
    now = 11_000;
    expect(await list()).toEqual(["new.ts"]);
  });
});
