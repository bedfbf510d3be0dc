import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadMemory } from "../../../src/node/prompt/load-memory.ts";
import { createProject, load, outcomes } from "../prompt/load-project.ts";

describe("createGitIgnoreTest", () => {
  it.for([
    [
      "below an ignored directory, even if it is unignored there",
      { "app/.gitignore": "private/\n", "app/private/.gitignore": "!secret.md\n" },
      "private/secret.md",
    ],
    [
      "by the private list of the repository",
      { "app/.git/info/exclude": "secret.md\n" },
      "secret.md",
    ],
    ["by the user's own list", { ".config/git/ignore": "secret.md\n" }, "secret.md"],
    [
      "by a list that ~/.gitconfig names",
      { ".gitconfig": "[core]\n\texcludesFile = ~/mine\n", mine: "secret.md\n" },
      "secret.md",
    ],
  ] as const)("does not import a file that git ignores %s", async ([, more, name]) => {
    const { memory, files } = await load({
      ...more,
      "app/CLAUDE.md": `@${name}\n`,
      [`app/${name}`]: "PRIVATE\n",
    });
    expect(files.at(-1)).toBe(`app/${name}: skipped GIT_IGNORED`);
    expect(memory.prefix).not.toContain("PRIVATE");
  });

  it("refuses a link to a file that git ignores", async () => {
    const input = await createProject({
      "app/.gitignore": "private.yml\n",
      "app/private.yml": "PRIVATE\n",
    });
    await symlink("private.yml", join(input.directory, "AGENTS.md"));
    const memory = await loadMemory(input);
    expect(outcomes(memory, input.home)).toEqual(["app/AGENTS.md: skipped GIT_IGNORED"]);
  });

  it("follows the nearest .gitignore", async () => {
    const { memory } = await load({
      "app/.gitignore": "*.txt\n",
      "app/docs/.gitignore": "!a.txt\n",
      "app/docs/a.txt": "public\n",
      "app/CLAUDE.md": "@docs/a.txt\n",
    });
    expect(memory.prefix).toContain("public");
  });
});
