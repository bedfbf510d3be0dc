import { link, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadMemory } from "../../../src/node/prompt/load-memory.ts";
import { createProject, load, outcomes } from "./load-project.ts";

describe("the walk", () => {
  it("loads the three names from every directory down to the start, broadest first", async () => {
    const input = await createProject({
      "app/AGENTS.md": "root agents\n",
      "app/CLAUDE.md": "root claude\n",
      "app/.caliban.md": "root caliban\n",
      "app/CLAUDE.local.md": "root local\n",
      "app/a/CLAUDE.md": "a claude\n",
      "app/a/CLAUDE.local.md": "not read\n",
      "app/a/b/AGENTS.md": "b agents\n",
      "CLAUDE.md": "above the root\n",
    });
    const { prefix } = await loadMemory({ ...input, directory: join(input.directory, "a", "b") });
    expect(prefix.match(/^(?:root|a|b|above|not) .*$/gm)).toEqual([
      "root caliban",
      "root claude",
      "root agents",
      "root local",
      "a claude",
      "b agents",
    ]);
  });

  it("loads the same file once: by inode, by link, and by content in one directory", async () => {
    const input = await createProject({
      "app/CLAUDE.md": "same\n",
      "app/AGENTS.md": "same\n",
      "app/a/CLAUDE.md": "same\n",
    });
    await symlink(join(input.directory, "CLAUDE.md"), join(input.directory, "a", "AGENTS.md"));
    await link(join(input.directory, "CLAUDE.md"), join(input.directory, "CLAUDE.local.md"));
    const memory = await loadMemory({ ...input, directory: join(input.directory, "a") });
    expect(outcomes(memory, input.home)).toEqual([
      "app/CLAUDE.md: loaded WHOLE",
      "app/AGENTS.md: skipped DUPLICATE",
      "app/CLAUDE.local.md: skipped ALREADY_LOADED",
      "app/a/CLAUDE.md: loaded WHOLE",
      "app/a/AGENTS.md: skipped ALREADY_LOADED",
    ]);
  });

  it("loads a file only once when another file imports it", async () => {
    const { files } = await load({ "app/CLAUDE.md": "@AGENTS.md\n", "app/AGENTS.md": "agents\n" });
    expect(files).toEqual([
      "app/CLAUDE.md: loaded WHOLE",
      "app/AGENTS.md: loaded WHOLE",
      "app/AGENTS.md: skipped ALREADY_LOADED",
    ]);
  });

  it("loads only CLAUDE.md with CALIBAN_DISABLE_CLAUDE_MD_WALK", async () => {
    const env = { CALIBAN_DISABLE_CLAUDE_MD_WALK: "1" };
    const { files } = await load(
      { "app/CLAUDE.md": "a\n", "app/AGENTS.md": "b\n", "app/.caliban/rules/r.md": "c\n" },
      { env },
    );
    expect(files).toEqual(["app/CLAUDE.md: loaded WHOLE"]);
  });

  it("loads additional directories only with the flag, and after the workspace", async () => {
    const input = await createProject({ "lib/CLAUDE.md": "lib\n", "app/CLAUDE.md": "app\n" });
    const settings = { additionalDirectories: [join(input.home, "lib")] };
    expect((await loadMemory({ ...input, settings })).prefix).not.toContain("lib\n");
    const env = { ...input.env, CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" };
    expect((await loadMemory({ ...input, env, settings })).prefix).toMatch(/app\n[\s\S]*lib\n/);
  });

  it("stops the walk at a home directory that is a link or ends with a slash", async () => {
    const input = await createProject({
      "app/CLAUDE.md": "above the home\n",
      "app/me/p/CLAUDE.md": "mine\n",
    });
    const home = join(input.directory, "me");
    await symlink(home, join(input.home, "me"));
    for (const written of [`${home}/`, join(input.home, "me")]) {
      const { prefix } = await loadMemory({
        ...input,
        directory: join(home, "p"),
        home: written,
        env: { HOME: written },
      });
      expect(prefix.match(/^(?:above the home|mine)$/gm)).toEqual(["mine"]);
    }
  });

  it("reports that it stopped in a very deep directory", async () => {
    const input = await createProject({ "app/CLAUDE.md": "root\n" });
    const deep = join(input.directory, ...Array<string>(300).fill("d"));
    await mkdir(deep, { recursive: true });
    const { receipt } = await loadMemory({ ...input, directory: deep });
    expect(receipt.notices).toEqual([expect.objectContaining({ code: "WALK_LIMIT" })]);
  });

  it("excludes files by gitignore patterns, of which the last match wins", async () => {
    const files = { "app/CLAUDE.md": "a\n", "app/AGENTS.md": "b\n" };
    const { files: found } = await load(files, { settings: { excludes: ["*.md", "!AGENTS.md"] } });
    expect(found).toEqual(["app/CLAUDE.md: skipped EXCLUDED", "app/AGENTS.md: loaded WHOLE"]);
  });

  it("keeps the user's CLAUDE.local.md from the excludes and caps of a repository", async () => {
    const files = { "app/CLAUDE.md": "a\n", "app/CLAUDE.local.md": `${"mine ".repeat(200)}\n` };
    const requested = { requestedExcludes: ["*.md", "!CLAUDE.md"], requestedCapTokensProject: 10 };
    const { files: found } = await load(files, { settings: requested });
    expect(found).toEqual(["app/CLAUDE.md: skipped NO_ROOM", "app/CLAUDE.local.md: loaded WHOLE"]);
    const { files: chosen } = await load(files, { settings: { excludes: ["*.local.md"] } });
    expect(chosen).toEqual([
      "app/CLAUDE.md: loaded WHOLE",
      "app/CLAUDE.local.md: skipped EXCLUDED",
    ]);
  });
});

describe("rules", () => {
  it("loads rules without paths at the start, the user's own first", async () => {
    const { memory } = await load({
      ".config/caliban/rules/z.md": "mine\n",
      "app/.claude/rules/a.md": "claude\n",
      "app/.caliban/rules/sub/b.md": "caliban\n",
      "app/.caliban/rules/notes.txt": "not a rule\n",
      "app/CLAUDE.md": "file\n",
    });
    expect(memory.prefix.match(/^(?:mine|claude|caliban|file|not a rule)$/gm)).toEqual([
      "file",
      "mine",
      "claude",
      "caliban",
    ]);
    expect(memory.prefix.match(/^<project-rule /gm)).toHaveLength(3);
  });

  it("skips a rule with a bad header and loads the others", async () => {
    const { files } = await load({
      "app/.caliban/rules/a.md": "---\npaths: [unclosed\n---\nx\n",
      "app/.caliban/rules/b.md": "---\npaths: 3\n---\nx\n",
      "app/.caliban/rules/c.md": "---js\nprocess.exit(1)\n---\nx\n",
      "app/.caliban/rules/d.md": "---\na: &a b\nc: *a\n---\nx\n",
      "app/.caliban/rules/e.md": "fine\n",
    });
    expect(files.map((line) => line.replace("app/.caliban/rules/", ""))).toEqual([
      "a.md: skipped BAD_HEADER",
      "b.md: skipped BAD_HEADER",
      "c.md: skipped BAD_HEADER",
      "d.md: skipped BAD_HEADER",
      "e.md: loaded WHOLE",
    ]);
  });

  it("loads at most 4 MiB of rules", async () => {
    const large = Object.fromEntries(
      Array.from({ length: 18 }, (_, n) => [
        `app/.caliban/rules/${n}.md`,
        `${n}\n`.repeat(200_000).slice(0, 250_000),
      ]),
    );
    const { files } = await load(large, { settings: { ceilingTokens: 1_000_000 } });
    expect(files.filter((line) => line.endsWith("TOO_LARGE"))).toHaveLength(2);
  });

  it("prints no warnings of the YAML parser", async () => {
    const { files } = await load({
      "app/.caliban/rules/a.md": '---\nfoo: !x "\u001B]0;PWN\u0007"\npaths: src/**\n---\nx\n',
    });
    expect(files).toEqual(["app/.caliban/rules/a.md: skipped NOT_ACTIVE"]);
  });

  it("ignores a rule directory that links out of the workspace, and reports it", async () => {
    const input = await createProject({ "app/.caliban/x": "" });
    await symlink("/", join(input.directory, ".caliban/rules"));
    const { receipt } = await loadMemory(input);
    expect(receipt.notices).toEqual([expect.objectContaining({ code: "RULE_DIRECTORY_SKIPPED" })]);
  });

  it("matches rules with escaped, rooted, directory and negated globs", async () => {
    const rule = (glob: string): string => `---\npaths:\n  - '${glob}'\n---\n${glob}\n`;
    const { memory } = await load({
      "app/.caliban/rules/a.md": rule("app/\\[id\\]/**"),
      "app/.caliban/rules/b.md": rule("/app/**"),
      "app/.caliban/rules/c.md": rule("app/"),
      "app/.caliban/rules/d.md": rule("!lib/**"),
    });
    expect((await memory.activate("app/[id]/page.tsx")).paths).toHaveLength(4);
  });

  it("ignores rules in a linked directory, and reports it", async () => {
    const input = await createProject({
      "app/.caliban/rules/a.md": "a\n",
      "elsewhere/b.md": "b\n",
    });
    await symlink(join(input.home, "elsewhere"), join(input.directory, ".caliban/rules/more"));
    const { receipt } = await loadMemory(input);
    expect(receipt.notices).toEqual([expect.objectContaining({ code: "RULE_DIRECTORY_SKIPPED" })]);
  });

  it("reads at most a thousand rules, and reports it", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1005 }, (_, n) => [
        `app/.caliban/rules/${n}.md`,
        `---\npaths: src/${n}/**\n---\n${n}\n`,
      ]),
    );
    const { memory, files } = await load(many);
    expect(files).toHaveLength(1000);
    expect(memory.receipt.notices).toEqual([expect.objectContaining({ code: "RULES_LIMIT" })]);
  });
});
