import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitDirectory, writeFiles } from "../../../../../test/support/write-files.ts";
import { workspaceTools, type WorkspaceTools } from "../../support/workspace-tools.ts";

const protection = ({ tool }: WorkspaceTools, file_path: string): string | undefined =>
  tool("Write").protectionReason?.({ file_path });

async function link(root: string, name: string, target: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await symlink(target, join(root, name));
}

describe("the target of a link with a protected name", () => {
  it.for([
    [".claude", "shared", "shared/rules/a.md", ".claude controls"],
    [".claude/rules", "../docs", "docs/r.md", ".claude controls"],
    [".claude/skills", "../sk", "sk/evil/SKILL.md", ".claude controls"],
    [".claude/skills/x/SKILL.md", "../../../sk.md", "sk.md", ".claude controls"],
    [".caliban/settings.toml", "../cfg.toml", "cfg.toml", ".caliban controls"],
    ["pkg/.claude/rules", "../../docs", "docs/r.md", ".claude controls"],
    [".git/hooks", "../hooks2", "hooks2/pre-commit", ".git belongs to Git"],
    [".git/hooks/pre-commit", "../../scripts/check", "scripts/check", ".git belongs to Git"],
    [".git/config", "../git.config", "git.config", ".git belongs to Git"],
    ["sub/CLAUDE.md", "../other/real.md", "other/real.md", "CLAUDE.md tells agents"],
    ["sub/.github/copilot-instructions.md", "../../c.md", "c.md", "copilot-instructions.md tells"],
  ] as const)(
    "protects the target of the link %s -> %s: %s",
    async ([name, target, file, reason]) => {
      const session = await workspaceTools({ ...gitDirectory("app"), "app/a.ts": "" });
      await link(session.root, name, target);
      // The target does not exist yet. It would be found through the link as soon as it does.
      expect(protection(session, file)).toContain(reason);
      await writeFiles(session.root, { [file]: "" });
      expect((await protectionInNewSession(session))(file)).toContain(reason);
      expect(protection(session, "a.ts")).toBeUndefined();
    },
  );

  it("protects targets behind several links and in added directories", async () => {
    const session = await workspaceTools({ "added/x": "", "app/docs/r.md": "" }, (home) => ({
      additionalDirectories: [join(home, "added")],
    }));
    await link(session.root, "mid", "docs");
    await link(session.root, ".claude/rules", "../mid");
    await link(session.home, "added/.claude/skills", "../sk");
    await link(session.root, ".caliban", "shared");
    await writeFiles(session.root, { "shared/x": "", "far/r.md": "" });
    await link(session.root, "shared/rules", "../far");
    expect(protection(session, "far/r.md")).toContain(".caliban controls");
    expect(protection(session, "docs/r.md")).toContain(".claude controls");
    expect(protection(session, "~/added/sk/a/SKILL.md")).toContain(".claude controls");
  });

  it("protects the targets of links in the common Git directory of a worktree", async () => {
    const session = await workspaceTools({
      "app/.git": "gitdir: ../main/.git/worktrees/app\n",
      "main/.git/worktrees/app/commondir": "../..\n",
    });
    await link(session.home, "main/.git/hooks", join(session.root, "hooks2"));
    expect(protection(session, "hooks2/pre-commit")).toContain(".git belongs to Git");
    expect(protection(session, "src/pre-commit")).toBeUndefined();
  });

  it("ignores links in worktrees of agents and in packages, which are not part of the workspace", async () => {
    const session = await workspaceTools({ "app/shared/a": "" });
    await link(session.root, ".claude/worktrees/w/shared", "../../../shared");
    await link(session.root, "node_modules/x/CLAUDE.md", "../../shared/a");
    expect(protection(session, "shared/a")).toBeUndefined();
  });

  it("finds a link that a command created before the next write", async () => {
    const session = await workspaceTools({ "app/other/real.md": "" });
    expect(protection(session, "other/real.md")).toBeUndefined();
    await session.text("Bash", { command: "mkdir sub && ln -s ../other/real.md sub/CLAUDE.md" });
    expect(protection(session, "other/real.md")).toContain("CLAUDE.md tells agents");
  });
});

describe("paths in the Git config", () => {
  it.for([
    ["[core]\n\thooksPath = tools/hooks\n", "tools/hooks/pre-commit"],
    ['[Core] HooksPath="tools/my \\"hooks" # ours\n', 'tools/my "hooks/pre-commit'],
    ["[core]\nhooksPath = ~/app/hk ; ours\n", "hk/pre-commit"],
    ["[core]\nhooksPath = tools/\\\nhooks\n", "tools/hooks/x"],
    ["[include]\r\n\tpath = ../git/base.config\r\n", "git/base.config"],
    ['[includeIf "gitdir:~/a]b/"]\npath = ../extra\n', "extra"],
    ['[includeIf "onbranch:x"]\npath = ../extra\n', "extra"],
    ["[include]\npath = ../a.config\n", "deep/hooks/pre-push"],
    ["[core]\nfsmonitor = ./tools/watch\n", "tools/watch"],
    ['[diff "x"]\ntextconv = sh \\"tools/to text\\" -q\n', "tools/to text"],
    ["[alias]\nst = !tools/watch; true\n", "tools/watch"],
  ] as const)("protects what the Git config %j names: %s", async ([config, file]) => {
    const session = await workspaceTools({
      ...gitDirectory("app"),
      "app/.git/config": `[user]\nname = x\n${config}`,
      "app/tools/watch": "",
      "app/tools/to text": "",
      "app/a.config": "[include]\npath = b.config\n",
      "app/b.config": "[include]\npath = a.config\n[core]\nhooksPath = deep/hooks\n",
    });
    expect(protection(session, file)).toContain("is named in the Git config");
    expect(protection(session, "src/a.ts")).toBeUndefined();
  });

  it("protects paths of the Git config behind links and in a worktree", async () => {
    const session = await workspaceTools({
      "app/.git": "gitdir: ../main/.git/worktrees/app\n",
      "main/.git/worktrees/app/commondir": "../..\n",
      "main/.git/worktrees/app/config.worktree": "[core]\nhooksPath = hk\n",
      "main/.git/config": "[core]\nhooksPath = tools\n",
    });
    await link(session.root, "hk", "real");
    await link(session.root, "tools/pre-commit", "../scripts/check");
    expect(protection(session, "real/pre-commit")).toContain("hk is named in");
    expect(protection(session, "scripts/check")).toContain("tools is named in");
    expect(protection(session, "scripts/other")).toBeUndefined();
  });

  it.for([
    "[core]\n# hooksPath = src\n",
    "[other]\nhooksPath = src\npath = ../src\n",
    "[core]\nhooksPath =\n[include]\npath\n",
    `[core]\nhooksPath = src\n${"#".repeat(262_144)}`,
  ])("finds no protected path in the Git config of case %#", async (config) => {
    const session = await workspaceTools({ ...gitDirectory("app"), "app/.git/config": config });
    expect(protection(session, "src/a.ts")).toBeUndefined();
  });
});

describe("a directory that a write would turn into a Git directory", () => {
  it.for([
    [["objects/x", "refs/x"], "HEAD"],
    [["HEAD"], "commondir"],
    [["HEAD", "objects/x"], "refs/heads/main"],
    [["HEAD", "refs/x"], "objects/x"],
    [["objects/x"], "refs/x"],
    [["objects/x"], "HEAD"],
    [["HEAD"], "config"],
    [["config"], "hooks/pre-commit"],
    [["hooks/pre-commit"], "config"],
    [["objects/x"], "Config"],
    [["refs/x"], "config"],
  ] as const)("protects a directory with %j against a write of %s", async ([existing, file]) => {
    const files = Object.fromEntries(existing.map((name) => [`app/d/${name}`, ""]));
    const session = await workspaceTools(files);
    expect(protection(session, `d/${file}`)).toBe("d belongs to Git, which may run what is in it.");
    expect(protection(session, "d/other.ts")).toBeUndefined();
    expect(protection(session, "d/other/x.ts")).toBeUndefined();
  });

  it.for([
    [["hooks/use-a.ts", "config/a.ts", "objects/a.ts"], "hooks/use-b.ts"],
    [["hooks/use-a.ts", "config.ts"], "config/b.ts"],
    [["hooks/use-a.ts", "refs/a.ts"], "refs/b.ts"],
    [[], "config"],
    [["other"], "HEAD"],
  ] as const)(
    "does not protect a source directory with %j against a write of %s",
    async ([existing, file]) => {
      const files = Object.fromEntries(existing.map((name) => [`app/d/${name}`, ""]));
      expect(protection(await workspaceTools(files), `d/${file}`)).toBeUndefined();
    },
  );
});

describe("paths that the session protects", () => {
  it("protects the given files, the contents of given directories, and the targets of links in them", async () => {
    const session = await workspaceTools(
      { "app/docs/imp.md": "", "app/docs/other.md": "", "app/conf/x": "", "app/dot/s.toml": "" },
      (home) => ({
        protectedPaths: () => [
          { path: join(home, "app/alias.md"), reason: "is loaded into the prompt" },
          { path: join(home, "app/conf"), reason: "is ours" },
          { path: join(home, "app/missing/y"), reason: "is awaited" },
          { path: join(home, "app/dangling.md"), reason: "is a link" },
        ],
      }),
    );
    await link(session.root, "alias.md", "docs/imp.md");
    await link(session.root, "conf/s.toml", "../dot/s.toml");
    await link(session.root, "dangling.md", "later.md");
    expect(protection(session, "docs/imp.md")).toBe("alias.md is loaded into the prompt.");
    expect(protection(session, "conf/deep/new")).toBe("conf is ours.");
    expect(protection(session, "dot/s.toml")).toBe("conf is ours.");
    expect(protection(session, "missing/y")).toBe("missing/y is awaited.");
    expect(protection(session, "later.md")).toBe("dangling.md is a link.");
    expect(protection(session, "docs/other.md")).toBeUndefined();
    expect(protection(session, "conf2/x")).toBeUndefined();
  });

  it("looks up protected paths only before a write, and again after a file brought instructions", async () => {
    let asked = 0;
    const session = await workspaceTools({ "app/a.ts": "x\n" }, () => ({
      activate: async () => ({ text: "Rules." }),
      protectedPaths: () => {
        asked += 1;
        return asked > 1 ? [{ path: "/", reason: "is ours" }] : [];
      },
    }));
    await session.text("Grep", { pattern: "x" });
    await session.text("Bash", { command: "true" });
    expect(asked).toBe(0);
    expect(protection(session, "a.ts")).toBeUndefined();
    expect(protection(session, "a.ts")).toBeUndefined();
    expect(asked).toBe(1);
    await session.text("Read", { file_path: "a.ts" });
    expect(protection(session, "a.ts")).toBe("/ is ours.");
  });
});

describe("files that are loaded into the prompt", () => {
  it("protects them from the start, or once they were activated", async () => {
    const session = await workspaceTools({ "app/a.ts": "x\n", "app/docs/b.md": "b\n" }, (home) => ({
      instructionPaths: [join(home, "app/docs/c.md")],
      activate: async () => ({ text: "Rules.", paths: [join(home, "app/docs/b.md")] }),
    }));
    const reason = "is loaded into the prompt, in this session and in others.";
    expect(protection(session, "docs/c.md")).toBe(`docs/c.md ${reason}`);
    expect(protection(session, "docs/b.md")).toBeUndefined();
    await session.text("Read", { file_path: "a.ts" });
    expect(protection(session, "docs/b.md")).toBe(`docs/b.md ${reason}`);
  });
});

describe("a call that waited in the queue", () => {
  const SWAP = "rm -rf d && ln -s .git/hooks d";
  const files = { ...gitDirectory("app"), "app/.git/hooks/x": "x\n", "app/d/x": "x\n" };

  it("rejects a waiting call whose path now leads elsewhere", async () => {
    const session = await workspaceTools(files);
    const results = await Promise.all([
      session.call("Bash", { command: SWAP }),
      session.call("Write", { file_path: "d/pre-commit", content: "evil" }),
    ]);
    expect(results[1]).toMatchObject({ isError: true, data: { code: "CHANGED" } });
    expect(results[1].text).toContain("now leads to .git/hooks/pre-commit");
    expect((await session.call("Read", { file_path: ".git/hooks/pre-commit" })).isError).toBe(true);
    const again = await session.call("Write", { file_path: "d/pre-commit", content: "mine" });
    expect(again.text).toContain("Created .git/hooks/pre-commit");
  });

  it("rejects a waiting call whose dangling link now leads somewhere", async () => {
    const session = await workspaceTools({ "app/a": "" });
    await link(session.root, "d", "later");
    const context = { usedTools: [], notify: () => undefined };
    const results = await Promise.all([
      session.tool("Bash").run({ command: "mkdir later" }, context),
      session.tool("Write").run({ file_path: "d/a", content: "x" }, context),
    ]);
    expect(results[1].data).toEqual({ code: "CHANGED" });
  });

  it("rejects a waiting call whose file is now protected", async () => {
    const session = await workspaceTools({ "app/docs/x": "x\n", "app/.claude/x": "" });
    await session.text("Read", { file_path: "docs/x" });
    const results = await Promise.all([
      session.call("Bash", { command: "ln -s ../docs .claude/rules" }),
      session.call("Edit", { file_path: "docs/x", old_string: "x", new_string: "y" }),
      session.call("Write", { file_path: "other/x", content: "x" }),
    ]);
    expect(results.map(({ data }) => data)).toMatchObject([{}, { code: "CHANGED" }, { lines: 1 }]);
  });

  it("runs a waiting call if only missing directories were created", async () => {
    const session = await workspaceTools();
    const results = await Promise.all([
      session.call("Bash", { command: "mkdir -p d/deep && echo 1 > d/other" }),
      session.call("Write", { file_path: "d/deep/a", content: "x" }),
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([undefined, undefined]);
  });
});

/** New tools on the same directory, which have not looked at anything yet. */
async function protectionInNewSession({
  root,
}: WorkspaceTools): Promise<(file: string) => string | undefined> {
  const fresh = await workspaceTools({}, () => ({ root, startDirectory: root }));
  return (file) => protection(fresh, file);
}
