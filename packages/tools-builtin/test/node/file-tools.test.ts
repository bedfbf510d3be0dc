import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { estimateTokens } from "@caliban/common";
import { describe, expect, it } from "vitest";
import { gitDirectory, writeFiles } from "../../../../test/support/write-files.ts";
import { fileSchemas } from "../../scripts/render-schemas.ts";
import { createFileTools } from "../../src/node/file-tools.ts";
import { FILE_INPUT_SCHEMAS } from "../../src/node/schemas/file-input-schemas.ts";
import type { WorkspaceInput } from "../../src/node/tool-workspace.ts";
import { workspaceTools } from "../support/workspace-tools.ts";

describe("the file tools", () => {
  it("shows the model the file schemas that validate its input", () => {
    expect(FILE_INPUT_SCHEMAS, "run `pnpm --filter @caliban/tools-builtin schemas`").toEqual(
      fileSchemas(),
    );
  });

  it("uses few tokens of the prompt for the file tools", async () => {
    const { tools } = await workspaceTools();
    const shown = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    expect(estimateTokens(JSON.stringify(shown))).toBeLessThan(900);
  });

  it("gives each file tool a permission and marks the read-only ones", async () => {
    const { tools } = await workspaceTools();
    expect(tools.map(({ name, permission, isReadOnly }) => [name, permission, isReadOnly])).toEqual(
      [
        ["Read", "fs.read", true],
        ["Write", "fs.write", false],
        ["Edit", "fs.write", false],
        ["Bash", "shell.run", false],
        ["BashOutput", "shell.read", true],
        ["Grep", "fs.read", true],
        ["Glob", "fs.read", true],
        ["WebFetch", "web.fetch", true],
      ],
    );
  });

  it.for([
    ["Read", {}],
    ["Read", { file_path: "a", offset: 0 }],
    ["Write", { file_path: "a" }],
    ["Edit", { file_path: "a", old_string: "a", new_string: "b", more: 1 }],
    ["Bash", { command: "true", timeout_ms: 600_001 }],
    ["BashOutput", {}],
    ["Grep", { pattern: "" }],
    ["Glob", undefined],
    ["WebFetch", { url: 1 }],
  ] as const)("explains an invalid call of %s with %j", async ([name, input]) => {
    const { call } = await workspaceTools();
    const { text, isError } = await call(name, input);
    expect(isError).toBe(true);
    expect(text).toContain(`${name} was not run.`);
  });

  it("matches rules against the path from the root, or the command", async () => {
    const { tool, home, root } = await workspaceTools({ "app/src/a.ts": "", "other/b": "" });
    await symlink(join(root, "src"), join(root, "link"));
    const subjects = [
      tool("Write").subjectOf?.({ file_path: join(root, "src/new/c.ts") }),
      tool("Edit").subjectOf?.({ file_path: "link/a.ts" }),
      tool("Read").subjectOf?.({ file_path: "~/other/b" }),
      tool("Read").subjectOf?.({ file_path: "memory://root" }),
      tool("Grep").subjectOf?.({ pattern: "x" }),
      tool("Glob").subjectOf?.({ pattern: "x", path: "src" }),
      tool("Bash").subjectOf?.({ command: "git status" }),
      tool("Write").subjectOf?.({ file_path: "a\nb" }),
      tool("Write").subjectOf?.(undefined),
    ];
    expect(subjects).toEqual([
      "src/new/c.ts",
      "src/a.ts",
      "~/other/b",
      "memory://root",
      ".",
      "src",
      "git status",
      undefined,
      undefined,
    ]);
    expect(tool("Read").subjectOf?.({ file_path: join(home, "x") })).toBe("~/x");
  });

  it("orders calls for the same file under any name, and for the shell", async () => {
    const { tool, root } = await workspaceTools({ "app/a.ts": "" });
    await symlink("a.ts", join(root, "link.ts"));
    const path = join(root, "a.ts");
    expect(tool("Read").orderKey?.({ file_path: "./a.ts" })).toBe(path);
    expect(tool("Edit").orderKey?.({ file_path: "link.ts" })).toBe(path);
    expect(tool("Write").orderKey?.({ file_path: "~/app/a.ts" })).toBe(path);
    expect(tool("Bash").orderKey?.({ command: "a" })).toBe(
      tool("Bash").orderKey?.({ command: "b" }),
    );
    expect(tool("Grep").orderKey).toBeUndefined();
  });
});

describe("protected files", () => {
  it.for([
    ["CLAUDE.md", "CLAUDE.md tells agents"],
    ["deep/down/agents.MD", "agents.MD tells agents"],
    [".caliban.md", "tells agents"],
    ["CLAUDE.local.md", "tells agents"],
    ["deep/Gemini.md", "Gemini.md tells agents"],
    [".cursorrules", "tells agents"],
    [".github/copilot-instructions.md", ".github/copilot-instructions.md tells agents"],
    [".mcp.json", ".mcp.json tells agents which programs to start"],
    [".caliban/settings.toml", ".caliban controls"],
    ["sub/.Claude/skills/x/SKILL.md", ".Claude controls"],
    [".git/hooks/pre-commit", ".git belongs to Git"],
    [".git", ".git belongs to Git"],
    ["sub/.GIT/config", ".GIT belongs to Git"],
    [".git./config", "belongs to Git"],
    [".g\u200Cit/config", "belongs to Git"],
    ["bare/hooks/post-update", "bare belongs to Git"],
    ["linked/config", ".git belongs to Git"],
    ["alias.md", "CLAUDE.md tells agents"],
    ["docs/guide.md", "AGENTS.md tells agents"],
    ["side/CLAUDE.md", "CLAUDE.md tells agents"],
    ["rules/new.md", ".claude controls"],
    [".claude/linked.md", ".claude controls"],
    [".envrc", ".envrc runs when a shell"],
    ["sub/.vscode/tasks.json", ".vscode can run programs when an editor"],
    [".github/workflows/ci.yml", ".github/workflows runs on a build server"],
    ["AGENTS.override.md", "tells agents"],
    ["package.json", "package.json names programs"],
  ])("protects %s: %s", async ([path, reason]) => {
    const { tool, root } = await workspaceTools({
      ...gitDirectory("app"),
      "app/bare/HEAD": "",
      "app/bare/objects/x": "",
      "app/bare/refs/x": "",
      "app/CLAUDE.md": "",
      "app/docs/guide.md": "",
      "app/docs/other.md": "",
      "app/side/x": "",
      "app/.claude/x": "",
    });
    await symlink("../docs/other.md", join(root, "side/CLAUDE.md"));
    await symlink("../docs/other.md", join(root, ".claude/linked.md"));
    await symlink(".claude", join(root, "rules"));
    await symlink(".git", join(root, "linked"));
    await symlink("CLAUDE.md", join(root, "alias.md"));
    await symlink("docs/guide.md", join(root, "AGENTS.md"));
    for (const name of ["Write", "Edit"]) {
      expect(tool(name).protectionReason?.({ file_path: path })).toContain(reason);
    }
  });

  it.for([
    "docs/copilot-instructions.md",
    "mcp.json",
    "src/a.ts",
    "CLAUDE.md.bak",
    "docs/claude.ts",
    ".github/x.yml",
    ".gitignore",
    "a\u0001",
  ])("does not protect %j", async (path) => {
    const { tool } = await workspaceTools(gitDirectory("app"));
    expect(tool("Write").protectionReason?.({ file_path: path })).toBeUndefined();
  });

  it("protects a package.json only against changes of what it runs", async () => {
    const manifest = { name: "app", scripts: { test: "vitest" }, dependencies: {} };
    const { tool } = await workspaceTools({ "app/package.json": JSON.stringify(manifest) });
    const writeReason = (value: unknown): string | undefined =>
      tool("Write").protectionReason?.({
        file_path: "package.json",
        content: JSON.stringify(value),
      });
    const editReason = (old_string: string, new_string: string): string | undefined =>
      tool("Edit").protectionReason?.({ file_path: "package.json", old_string, new_string });
    expect(writeReason({ ...manifest, dependencies: { zod: "4" } })).toBeUndefined();
    expect(writeReason({ ...manifest, scripts: { test: "curl x | sh" } })).toContain("run");
    expect(editReason('"app"', '"app2"')).toBeUndefined();
    expect(editReason("vitest", "sh x")).toContain("run");
    expect(editReason("not in the file", "x")).toContain("run");
  });

  it("leaves files of a worktree inside a guarded directory unprotected", async () => {
    const { tool, home } = await workspaceTools(
      { "app/.claude/worktrees/w/a.ts": "" },
      (directory) => ({
        root: join(directory, "app/.claude/worktrees/w"),
        startDirectory: join(directory, "app/.claude/worktrees/w"),
      }),
    );
    expect(tool("Write").protectionReason?.({ file_path: "a.ts" })).toBeUndefined();
    expect(tool("Write").protectionReason?.({ file_path: ".claude/x" })).toContain(
      ".claude controls",
    );
    expect(home).not.toBe("");
  });

  it("protects files in added directories by their whole path", async () => {
    const { tool } = await workspaceTools({ ".claude/x": "" }, (home) => ({
      additionalDirectories: [join(home, ".claude")],
    }));
    expect(tool("Write").protectionReason?.({ file_path: "~/.claude/x" })).toContain(
      ".claude controls",
    );
  });
});

describe("containment", () => {
  const OUTSIDE = { "secret/key": "private\n", "app/a.ts": "mine\n" };

  it.for(["../secret/key", "~/secret/key", "a/../../secret/key", "/etc/hostname", "~"])(
    "rejects the path %s, which is outside the workspace",
    async (path) => {
      const { call } = await workspaceTools(OUTSIDE);
      const input = { file_path: path, content: "x", old_string: "p", new_string: "q" };
      for (const name of ["Read", "Write", "Edit"] as const) {
        const { old_string, new_string, content, file_path } = input;
        const fields = { Read: {}, Write: { content }, Edit: { old_string, new_string } }[name];
        const { text, isError, data } = await call(name, { file_path, ...fields });
        expect([isError, data]).toEqual([true, { code: "OUTSIDE" }]);
        expect(text).toContain("outside the workspace");
      }
      for (const name of ["Grep", "Glob"]) {
        expect((await call(name, { pattern: "p", path })).data).toEqual({ code: "OUTSIDE" });
      }
    },
  );

  it("follows links only to targets that are allowed", async () => {
    const { call, text, root, home } = await workspaceTools(OUTSIDE);
    await symlink(join(home, "secret"), join(root, "out"));
    await symlink("a.ts", join(root, "in.ts"));
    await symlink(join(home, "nowhere"), join(root, "dangling"));
    expect((await call("Read", { file_path: "out/key" })).data).toEqual({ code: "OUTSIDE" });
    expect((await call("Grep", { pattern: "p", path: "out" })).data).toEqual({ code: "OUTSIDE" });
    for (const file_path of ["out/new", "out/deep/new"]) {
      expect((await call("Write", { file_path, content: "x" })).data).toEqual({ code: "OUTSIDE" });
    }
    for (const file_path of ["dangling", "dangling/x"]) {
      const { text: reply, data } = await call("Write", { file_path, content: "x" });
      expect(data).toEqual({ code: "BAD_PATH" });
      expect(reply).toContain("which does not exist");
    }
    expect(await text("Read", { file_path: "in.ts" })).toBe("1\tmine");
    expect(await text("Write", { file_path: "in.ts", content: "new\n" })).toContain("a.ts");
    expect(await readFile(join(root, "a.ts"), "utf8")).toBe("new\n");
    expect(await readFile(join(root, "in.ts"), "utf8")).toBe("new\n");
  });

  it("follows no links in a search", async () => {
    const { text, root, home } = await workspaceTools(OUTSIDE);
    await symlink(join(home, "secret"), join(root, "out"));
    await symlink(join(home, "secret/key"), join(root, "key"));
    expect(await text("Grep", { pattern: "private" })).toBe("No matches.");
    expect(await text("Glob", { pattern: "**" })).toBe("a.ts");
  });

  it("reads and writes added directories, and only reads readable ones", async () => {
    const files = { "added/a": "a\n", "skill/s": "s\n", ...OUTSIDE };
    const { call, text } = await workspaceTools(files, (home) => ({
      additionalDirectories: [join(home, "added")],
      readableDirectories: [join(home, "skill")],
    }));
    expect(await text("Read", { file_path: "~/added/a" })).toBe("1\ta");
    expect(await text("Write", { file_path: "~/added/b", content: "" })).toContain("Created");
    expect(await text("Read", { file_path: "~/skill/s" })).toBe("1\ts");
    expect(await text("Grep", { pattern: "s", path: "~/skill" })).toBe("~/skill/s\n1: s");
    expect(await text("Glob", { pattern: "*", path: "~/skill" })).toBe("~/skill/s");
    const refused = await call("Write", { file_path: "~/skill/s", content: "" });
    expect(refused.text).toContain("~/skill/s is read-only");
  });

  it("rejects a directory whose name only starts like the root", async () => {
    const { call } = await workspaceTools({ "app2/a": "x" });
    expect((await call("Read", { file_path: "../app2/a" })).data).toEqual({ code: "OUTSIDE" });
  });

  it("rejects paths with control characters, and paths that are too long", async () => {
    const { call } = await workspaceTools();
    for (const file_path of ["a\nb", "a\u0000", "\u001B[2J", "x".repeat(5_000)]) {
      const { text, data } = await call("Write", { file_path, content: "" });
      expect(data).toEqual({ code: "BAD_PATH" });
      expect(text).not.toMatch(/\p{Cc}/u);
    }
    expect((await call("Write", { file_path: "x".repeat(300), content: "" })).isError).toBe(true);
  });

  it("rejects pipes, devices and directories without blocking", async () => {
    const { call, root } = await workspaceTools({ "app/dir/a": "" });
    execFileSync("mkfifo", [join(root, "pipe")]);
    const pipe = await call("Read", { file_path: "pipe" });
    expect(pipe.text).toContain("pipe is a named pipe");
    expect((await call("Write", { file_path: "pipe", content: "x" })).text).toContain("named pipe");
    expect((await call("Grep", { pattern: "x", path: "pipe" })).isError).toBe(true);
    expect((await call("Read", { file_path: "dir" })).text).toBe(
      'dir is a directory. Use Glob with "dir/*" to list its files.',
    );
    expect((await call("Write", { file_path: "dir", content: "x" })).isError).toBe(true);
    expect((await call("Read", { file_path: "dir/a/b" })).isError).toBe(true);
    expect((await call("Write", { file_path: "dir/a/b", content: "" })).isError).toBe(true);
    expect(await call("Glob", { pattern: "*", path: "dir/a" })).toMatchObject({ isError: true });
  });

  it("reads, writes and searches a deeply nested file", async () => {
    const { text, root } = await workspaceTools();
    const deep = Array.from({ length: 60 }, (_, index) => `directory-${index}`).join("/");
    await text("Write", { file_path: `${deep}/a.ts`, content: "deep\n" });
    expect(await readFile(join(root, deep, "a.ts"), "utf8")).toBe("deep\n");
    expect(await text("Grep", { pattern: "deep" })).toContain(`${deep}/a.ts`);
    expect(await text("Glob", { pattern: "**/a.ts" })).toBe(`${deep}/a.ts`);
  });

  it("lets only the memory tools write the memory directory, even through links", async () => {
    const { call, text, root, home } = await workspaceTools(
      { "memory/t.md": "note\n" },
      (directory) => ({
        memoryDirectory: join(directory, "memory"),
        additionalDirectories: [directory],
      }),
    );
    await symlink(join(home, "memory"), join(root, "notes"));
    for (const file_path of ["~/memory/t.md", "notes/t.md", "notes/new.md"]) {
      const { text: reply, data } = await call("Write", { file_path, content: "x" });
      expect(data).toEqual({ code: "MEMORY" });
      expect(reply).toContain("Use WriteMemoryTopic");
    }
    expect(await text("Read", { file_path: "notes/t.md" })).toBe("1\tnote");
    expect(
      (await call("Edit", { file_path: "notes/t.md", old_string: "n", new_string: "m" })).data,
    ).toEqual({ code: "MEMORY" });
  });

  it("recognizes a memory directory below a link before it exists", async () => {
    const { call, root, home } = await workspaceTools({ "app/state/x": "" }, (directory) => ({
      memoryDirectory: join(directory, "link/memory"),
    }));
    await symlink(join(root, "state"), join(home, "link"));
    for (const file_path of ["state/memory/t.md", "~/link/memory/t.md"]) {
      expect((await call("Write", { file_path, content: "" })).data).toEqual({ code: "MEMORY" });
    }
    expect(await readdir(join(root, "state"))).toEqual(["x"]);
  });

  it("works with configured directories that are missing or dangling links", async () => {
    const { text, home } = await workspaceTools({ "app/a": "x\n" }, (directory) => ({
      memoryDirectory: join(directory, "loop"),
      additionalDirectories: [join(directory, "none"), join(directory, "loop")],
      readableDirectories: [join(directory, "loop/deep")],
    }));
    await symlink(join(home, "loop"), join(home, "loop"));
    expect(await text("Read", { file_path: "a" })).toBe("1\tx");
    expect(await text("Write", { file_path: "b", content: "" })).toContain("Created");
    expect(await text("Write", { file_path: "~/none/b", content: "" })).toContain("Created");
  });

  it("recognizes a memory directory that is configured as a link", async () => {
    const { call, text, home } = await workspaceTools({ "real/t.md": "note\n" }, (directory) => ({
      memoryDirectory: join(directory, "link"),
    }));
    await symlink(join(home, "real"), join(home, "link"));
    expect(await text("Read", { file_path: "~/link/t.md" })).toBe("1\tnote");
    expect((await call("Write", { file_path: "~/real/t.md", content: "" })).data).toEqual({
      code: "MEMORY",
    });
  });
});

describe("parallel calls", () => {
  it("applies parallel edits of one file in order", async () => {
    const { call, text, root } = await workspaceTools({ "app/a": "0" });
    await text("Read", { file_path: "a" });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call("Edit", { file_path: "a", old_string: `${index}`, new_string: `${index + 1}` }),
      ),
    );
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    expect(await readFile(join(root, "a"), "utf8")).toBe("20");
  });

  it("runs commands and writes one after another", async () => {
    const { call, root } = await workspaceTools();
    const [, , listed] = await Promise.all([
      call("Bash", { command: "sleep 0.2; ls > seen" }),
      call("Write", { file_path: "late", content: "x" }),
      call("Bash", { command: "ls" }),
    ]);
    expect(await readFile(join(root, "seen"), "utf8")).toBe("seen\n");
    expect(listed.text).toContain("late");
  });

  it("cancels a waiting call after the user interrupted", async () => {
    const { call, root } = await workspaceTools();
    const controller = new AbortController();
    const calls = [
      call("Bash", { command: "touch started; sleep 30" }, controller.signal),
      call("Write", { file_path: "late", content: "x" }, controller.signal),
    ];
    await expect.poll(() => existsSync(join(root, "started"))).toBe(true);
    controller.abort();
    const [, late] = await Promise.all(calls);
    expect(late).toMatchObject({ isError: true, data: { code: "CANCELLED" } });
    expect(await readdir(root)).toEqual(["started"]);
  });

  it("appends the rules of a file that was touched, and of no other file", async () => {
    const touched: string[] = [];
    const { call, text, root } = await workspaceTools(
      { "app/a.ts": "a\n", "app/b.ts": "b\n" },
      () => ({
        activate: async (path) => {
          touched.push(path);
          return { text: path.endsWith("b.ts") ? "" : "<rule>use tabs</rule>\n" };
        },
      }),
    );
    expect(await text("Read", { file_path: "a.ts" })).toBe("1\ta\n\n<rule>use tabs</rule>\n");
    expect(await text("Read", { file_path: "b.ts" })).toBe("1\tb");
    const edit = { file_path: "a.ts", old_string: "a", new_string: "c" };
    expect(await text("Edit", edit)).toMatch(/\n\n<rule>use tabs<\/rule>\n$/);
    expect(await text("Write", { file_path: "a.ts", content: "d" })).toContain("<rule>");
    expect(touched).toHaveLength(4);
    await call("Edit", edit);
    await call("Grep", { pattern: "d" });
    await call("Glob", { pattern: "*" });
    await call("Read", { file_path: "missing" });
    expect(touched).toEqual(["a", "b", "a", "a"].map((name) => join(root, `${name}.ts`)));
  });
});

it("works in a root that is a link", async () => {
  const { home, root } = await workspaceTools({ "app/a": "x\n" });
  await symlink(root, join(home, "alias"));
  const { text } = await workspaceTools({}, () => ({
    root: join(home, "alias"),
    startDirectory: join(home, "alias"),
  }));
  expect(await text("Read", { file_path: "a" })).toBe("1\tx");
  expect(await text("Read", { file_path: join(home, "alias/a") })).toBe("1\tx");
  expect(await text("Write", { file_path: "b/c", content: "" })).toBe(
    "Created b/c: 0 lines, 0 bytes.",
  );
  await mkdir(join(root, "d"));
  await writeFiles(root, { "d/e": "" });
  expect(await text("Glob", { pattern: "**/e" })).toBe("d/e");
});

it("creates the file tools with a root and an environment alone, and names what is missing", async () => {
  const { root } = await workspaceTools();
  expect(createFileTools({ root, env: {} })).toHaveLength(8);
  expect(() => createFileTools({ env: {} } as WorkspaceInput)).toThrow("requires `root`");
  expect(() => createFileTools({ root } as WorkspaceInput)).toThrow("requires `env`");
});
