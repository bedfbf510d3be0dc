import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { claudeMemoryDirectory } from "../../../src/node/project/claude-directory.ts";

async function place(files: Readonly<Record<string, string>> = {}): Promise<{
  readonly home: string;
  readonly directory: (
    path: string,
    env?: Readonly<Record<string, string>>,
  ) => Promise<string | undefined>;
}> {
  const home = await temporaryDirectory();
  await writeFiles(home, files);
  const directory = async (path: string, env = {}): Promise<string | undefined> =>
    await claudeMemoryDirectory({ env, platform: "linux", home }, path);
  return { home, directory };
}

describe("Claude Code's directory of a project", () => {
  it("is named after its path, with a hyphen for all but letters and digits", async () => {
    const { home, directory } = await place();
    expect(await directory("/home/me/my app_2")).toBe(
      join(home, ".claude/projects/-home-me-my-app-2/memory"),
    );
  });

  it("is below CLAUDE_CONFIG_DIR, as long as that is a full path", async () => {
    const { home, directory } = await place();
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
  ] as const)("is what its settings say: %s", async ([settings, expected]) => {
    const { home, directory } = await place({ ".claude/settings.json": settings });
    expect(await directory("/a")).toBe(expected.replace("HOME", home));
  });

  it("is found by its beginning when the path is too long for a name", async () => {
    const { home, directory } = await place();
    const long = `/${"x".repeat(300)}`;
    const cut = `-${"x".repeat(199)}`;
    await mkdir(join(home, ".claude/projects", `${cut}-abc`), { recursive: true });
    expect(await directory(long)).toBe(join(home, ".claude/projects", `${cut}-abc`, "memory"));
    await writeFile(join(home, ".claude/projects", `${cut}-def`), "");
    expect(await directory(long)).toBe(join(home, ".claude/projects", cut, "memory"));
  });
});
