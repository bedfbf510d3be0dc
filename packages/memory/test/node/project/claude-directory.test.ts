import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { claudeMemoryDirectory } from "../../../src/node/project/claude-directory.ts";

async function createHome(files: Readonly<Record<string, string>> = {}): Promise<{
  readonly home: string;
  readonly directory: (
    path: string,
    env?: Readonly<Record<string, string>>,
  ) => Promise<string | undefined>;
}> {
  const home = await temporaryDirectory();
  await writeFiles(home, files);
  const directory = async (path: string, env = {}): Promise<string | undefined> =>
    claudeMemoryDirectory({ env, platform: "linux", home }, path);
  return { home, directory };
}

describe("claudeMemoryDirectory", () => {
  it("names the directory after the project path, with a hyphen for all but letters and digits", async () => {
    const { home, directory } = await createHome();
    expect(await directory("/home/me/my app_2")).toBe(
      join(home, ".claude/projects/-home-me-my-app-2/memory"),
    );
  });

  it("uses CLAUDE_CONFIG_DIR if it is an absolute path", async () => {
    const { home, directory } = await createHome();
    expect(await directory("/a", { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/projects/-a/memory");
    expect(await directory("/a", { CLAUDE_CONFIG_DIR: "c" })).toBe(
      join(home, ".claude/projects/-a/memory"),
    );
  });

  it.for([
    ['{"autoMemoryDirectory":"/shared"}', "/shared"],
    ['{"autoMemoryDirectory":"~/shared"}', "HOME/shared"],
    ['{"autoMemoryDirectory":"shared"}', "HOME/.claude/projects/-a/memory"],
    ['{"autoMemoryDirectory":3}', "HOME/.claude/projects/-a/memory"],
    ["{", "HOME/.claude/projects/-a/memory"],
    ["[]", "HOME/.claude/projects/-a/memory"],
  ] as const)("uses the directory that the settings %s choose", async ([settings, expected]) => {
    const { home, directory } = await createHome({ ".claude/settings.json": settings });
    expect(await directory("/a")).toBe(expected.replace("HOME", home));
  });

  it("finds the directory of an overlong path by how its name begins", async () => {
    const { home, directory } = await createHome();
    const long = `/${"x".repeat(300)}`;
    const cut = `-${"x".repeat(199)}`;
    await mkdir(join(home, ".claude/projects", `${cut}-abc`), { recursive: true });
    expect(await directory(long)).toBe(join(home, ".claude/projects", `${cut}-abc`, "memory"));
    await writeFile(join(home, ".claude/projects", `${cut}-def`), "");
    expect(await directory(long)).toBe(join(home, ".claude/projects", cut, "memory"));
  });
});
