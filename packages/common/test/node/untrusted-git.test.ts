import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { runUntrustedGit } from "../../src/node/untrusted-git.ts";

const PATH = process.env["PATH"] ?? "";

describe("git in a repository that is not trusted", () => {
  it("answers, and gets nothing of the environment but the path", async () => {
    const directory = await temporaryDirectory();
    execFileSync("git", ["init", "-q"], { cwd: directory });
    execFileSync("git", ["config", "alias.spy", "!env"], { cwd: directory });
    const env = { PATH, ANTHROPIC_API_KEY: "sk-ant-made-up" };
    const answer = await runUntrustedGit({ directory, command: ["spy"], env });
    expect(answer.succeeded).toBe(true);
    expect(answer.output).not.toContain("sk-ant-made-up");
  });

  it.each(["bin", "node_modules/.bin"])("is not the one that it brings in %s", async (place) => {
    const directory = await temporaryDirectory();
    execFileSync("git", ["init", "-q"], { cwd: directory });
    await mkdir(join(directory, place), { recursive: true });
    const script = `#!/bin/sh\ntouch "${join(directory, "ran")}"\n`;
    await writeFile(join(directory, place, "git"), script);
    await chmod(join(directory, place, "git"), 0o755);
    const env = { PATH: [place, join(directory, place), PATH].join(delimiter) };
    const answer = await runUntrustedGit({ directory, command: ["rev-parse", "--git-dir"], env });
    expect(answer).toEqual({ isDone: true, output: ".git\n" });
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });

  it("says nothing where it fails", async () => {
    const directory = await temporaryDirectory();
    const answer = await runUntrustedGit({
      directory,
      command: ["rev-parse", "HEAD"],
      env: { PATH },
    });
    expect(answer).toEqual({ isDone: false, output: "" });
  });
});
