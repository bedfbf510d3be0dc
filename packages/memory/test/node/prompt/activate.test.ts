import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadMemory } from "../../../src/node/prompt/load-memory.ts";
import { createProject, load } from "./load-project.ts";

describe("activate", () => {
  const NESTED = {
    "app/.caliban/rules/ts.md": "---\npaths: src/**/*.ts\n---\nNo any.\n",
    "app/.caliban/rules/docs.md": "---\npaths:\n  - docs/**\n---\nShort sentences.\n",
    "app/src/CLAUDE.md": "Source rules.\n",
    "app/src/deep/AGENTS.md": "Deep rules.\n",
    "app/src/deep/a.ts": "",
  };

  it("returns matching rules and nested files once when a tool uses a file", async () => {
    const { memory } = await load(NESTED);
    const { text, paths } = await memory.activate("src/deep/a.ts");
    expect(text.match(/^(?:Source rules|Deep rules|No any)\.$/gm)).toEqual([
      "Source rules.",
      "Deep rules.",
      "No any.",
    ]);
    expect(text).toMatch(/^<project-claude-md path=[\s\S]*<\/project-rule>\n\n$/);
    expect(paths).toHaveLength(3);
    // No file knows it, so that no file can forge a frame.
    expect(text.split(` nonce="${memory.nonce}">\n`)).toHaveLength(4);
    expect((await load(NESTED)).memory.nonce).not.toBe(memory.nonce);
    expect(await memory.activate("src/deep/a.ts")).toEqual({ text: "", paths: [], notices: [] });
    expect((await memory.activate("docs/new.md")).text).toContain("Short sentences.");
  });

  it("returns nothing for external files, and nothing that is not approved", async () => {
    const input = await createProject({
      ...NESTED,
      "notes.md": "my notes\n",
      "app/src/CLAUDE.md": "@../../notes.md\n",
    });
    const asked: string[] = [];
    const memory = await loadMemory({
      ...input,
      askApproval: async ({ subject }) => {
        asked.push(subject);
        return "always";
      },
    });
    expect((await memory.activate("../notes.md")).text).toBe("");
    expect((await memory.activate("src/a.ts")).text).toContain(
      "[@-import skipped (needs approval)",
    );
    expect(asked).toEqual([]);
  });

  it("returns each file once when tools run concurrently, in order when rules share an import", async () => {
    const { memory } = await load({
      "app/.caliban/rules/a.md": "---\npaths: '*.ts'\n---\nRule a.\n@../../shared.md\n",
      "app/.caliban/rules/b.md": "---\npaths: '*.ts'\n---\nRule b.\n@../../shared.md\n",
      "app/.caliban/rules/c.md": "---\npaths: '*.ts'\n---\nRule b.\n@../../shared.md\n",
      "app/shared.md": "shared\n",
    });
    const both = await Promise.all([memory.activate("x.ts"), memory.activate("y.ts")]);
    const text = both.map((activation) => activation.text).join("");
    expect(text.match(/^(?:Rule .\.|shared)$/gm)).toEqual(["Rule a.", "shared", "Rule b."]);
  });

  it("reports a file that it may not load, and follows a link to the workspace", async () => {
    const input = await createProject({
      "app/sub/x.ts": "",
      "outside.md": "outside\n",
      "app/other/AGENTS.md": "Other rules. <!-- open\n",
    });
    await symlink(join(input.home, "outside.md"), join(input.directory, "sub", "CLAUDE.md"));
    await symlink(input.directory, join(input.home, "link"));
    const memory = await loadMemory(input);
    expect((await memory.activate(join(input.home, "link/sub/x.ts"))).text).toMatch(
      /^\[not loaded: .*sub\/CLAUDE\.md: Outside the workspace/,
    );
    const { text, notices } = await memory.activate("other/new.ts");
    expect(text).toContain("Other rules.");
    expect(notices).toEqual([expect.objectContaining({ code: "OPEN_COMMENT" })]);
  });

  it("returns at most 4,000 tokens per session, and names the rest", async () => {
    const { memory } = await load({
      "app/a/CLAUDE.md": "x\n".repeat(7000),
      "app/b/CLAUDE.md": "y\n".repeat(7000),
    });
    expect((await memory.activate("a/f")).text).toContain("x\nx\n");
    const { text, paths } = await memory.activate("b/f");
    expect(text).toMatch(
      /^\[not shown, over 4000 tokens in this session; read it if you need it: .*\/b\/CLAUDE\.md; nonce [0-9a-f]{8}\]\n$/,
    );
    expect(paths).toHaveLength(1);
  });
});
