import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { runUntrustedGit } from "../../src/node/untrusted-git.ts";

const PATH = process.env["PATH"] ?? "";

describe("runUntrustedGit", () => {
  it("runUntrustedGit passes only PATH of the environment to git", async () => {
    const directory = await temporaryDirectory();
    execFileSync("git", ["init", "-q"], { cwd: directory });
    execFileSync("git", ["config", "alias.spy", "!env"], { cwd: directory });
    const env = { PATH, ANTHROPIC_API_KEY: "sk-ant-made-up" };
    const answer = await runUntrustedGit({ directory, command: ["spy"], env });
    expect(answer.succeeded).toBe(true);
    expect(answer.output).not.toContain("sk-ant-made-up");
  });

  it.each(["bin", "node_modules/.bin"])(
    "runUntrustedGit does not run a git program that the repository contains in %s",
    async (folder) => {
      const directory = await temporaryDirectory();
      execFileSync("git", ["init", "-q"], { cwd: directory });
      await mkdir(join(directory, folder), { recursive: true });
      const script = `#!/bin/sh\ntouch "${join(directory, "ran")}"\n`;
      await writeFile(join(directory, folder, "git"), script);
      await chmod(join(directory, folder, "git"), 0o755);
      const env = { PATH: [folder, join(directory, folder), PATH].join(delimiter) };
      const answer = await runUntrustedGit({ directory, command: ["rev-parse", "--git-dir"], env });
      expect(answer).toEqual({ succeeded: true, output: ".git\n" });
      expect(existsSync(join(directory, "ran"))).toBe(false);
    },
  );

  it("runUntrustedGit returns no output when git fails", async () => {
    const directory = await temporaryDirectory();
    const answer = await runUntrustedGit({
      directory,
      command: ["rev-parse", "HEAD"],
      env: { PATH },
    });
    expect(answer).toEqual({ succeeded: false, output: "" });
  });
});
