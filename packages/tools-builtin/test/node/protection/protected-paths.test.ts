import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitDirectory, writeFiles } from "../../../../../test/support/write-files.ts";
import { fileSession, type FileToolSession } from "../../support/workspace-tools.ts";

const protection = ({ tool }: FileToolSession, file_path: string): string | undefined =>
  tool("Write").protectionReason?.({ file_path });

async function link(root: string, name: string, target: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await symlink(target, join(root, name));
}

describe("what a link of a known name leads to", () => {
  it.for([
    [".claude", "shared", "shared/rules/a.md", ".claude holds"],
    [".claude/rules", "../docs", "docs/r.md", ".claude holds"],
    [".claude/skills", "../sk", "sk/evil/SKILL.md", ".claude holds"],
    [".claude/skills/x/SKILL.md", "../../../sk.md", "sk.md", ".claude holds"],
    [".caliban/settings.toml", "../cfg.toml", "cfg.toml", ".caliban holds"],
    ["pkg/.claude/rules", "../../docs", "docs/r.md", ".claude holds"],
    [".git/hooks", "../hooks2", "hooks2/pre-commit", ".git belongs to Git"],
    [".git/hooks/pre-commit", "../../scripts/check", "scripts/check", ".git belongs to Git"],
    [".git/config", "../git.config", "git.config", ".git belongs to Git"],
    ["sub/CLAUDE.md", "../other/real.md", "other/real.md", "CLAUDE.md tells agents"],
    ["sub/.github/copilot-instructions.md", "../../c.md", "c.md", "copilot-instructions.md tells"],
  ] as const)("%s -> %s: %s is asked about every time", async ([name, target, file, reason]) => {
    const session = await fileSession({ ...gitDirectory("app"), "app/a.ts": "" });
    await link(session.root, name, target);
    // Nothing is there yet: it would be found through the link as soon as it is.
    expect(protection(session, file)).toContain(reason);
    await writeFiles(session.root, { [file]: "" });
    expect((await fileSessionAgain(session))(file)).toContain(reason);
    expect(protection(session, "a.ts")).toBeUndefined();
  });

  it("is found behind links of links, and in added directories", async () => {
    const session = await fileSession({ "added/x": "", "app/docs/r.md": "" }, (home) => ({
      additionalDirectories: [join(home, "added")],
    }));
    await link(session.root, "mid", "docs");
    await link(session.root, ".claude/rules", "../mid");
    await link(session.home, "added/.claude/skills", "../sk");
    await link(session.root, ".caliban", "shared");
    await writeFiles(session.root, { "shared/x": "", "far/r.md": "" });
    await link(session.root, "shared/rules", "../far");
    expect(protection(session, "far/r.md")).toContain(".caliban holds");
    expect(protection(session, "docs/r.md")).toContain(".claude holds");
    expect(protection(session, "~/added/sk/a/SKILL.md")).toContain(".claude holds");
  });

  it("is that of the common directory in a worktree", async () => {
    const session = await fileSession({
      "app/.git": "gitdir: ../main/.git/worktrees/app\n",
      "main/.git/worktrees/app/commondir": "../..\n",
    });
    await link(session.home, "main/.git/hooks", join(session.root, "hooks2"));
    expect(protection(session, "hooks2/pre-commit")).toContain(".git belongs to Git");
    expect(protection(session, "src/pre-commit")).toBeUndefined();
  });

  it("does not count in worktrees of agents and in packages, which are no part of this workspace", async () => {
    const session = await fileSession({ "app/shared/a": "" });
    await link(session.root, ".claude/worktrees/w/shared", "../../../shared");
    await link(session.root, "node_modules/x/CLAUDE.md", "../../shared/a");
    expect(protection(session, "shared/a")).toBeUndefined();
  });

  it("is found before the next write when a command makes the link", async () => {
    const session = await fileSession({ "app/other/real.md": "" });
    expect(protection(session, "other/real.md")).toBeUndefined();
    await session.text("Bash", { command: "mkdir sub && ln -s ../other/real.md sub/CLAUDE.md" });
    expect(protection(session, "other/real.md")).toContain("CLAUDE.md tells agents");
  });
});

describe("what the config of Git names", () => {
  it.for([
    ["[core]\n\thooksPath = tools/hooks\n", "tools/hooks/pre-commit"],
    ['[Core] HooksPath="tools/my \\"hooks" # ours\n', 'tools/my "hooks/pre-commit'],
    ["[core]\nhooksPath = ~/app/hk ; ours\n", "hk/pre-commit"],
    ["[core]\nhooksPath = tools/\\\nhooks\n", "tools/hooks/x"],
    ["[include]\r\n\tpath = ../git/base.config\r\n", "git/base.config"],
    ['[includeIf "gitdir:~/a]b/"]\npath = ../extra\n', "extra"],
    ['[includeIf "onbranch:x"]\npath = ../extra\n', "extra"],
    ["[include]\npath = ../a.config\n", "deep/hooks/pre-push"],
  ] as const)("is asked about every time: %j, %s", async ([config, file]) => {
    const session = await fileSession({
      ...gitDirectory("app"),
      "app/.git/config": `[user]\nname = x\n${config}`,
      "app/a.config": "[include]\npath = b.config\n",
      "app/b.config": "[include]\npath = a.config\n[core]\nhooksPath = deep/hooks\n",
    });
    expect(protection(session, file)).toContain("is named by the config of Git");
    expect(protection(session, "src/a.ts")).toBeUndefined();
  });

  it("is asked about behind links, and in a worktree", async () => {
    const session = await fileSession({
      "app/.git": "gitdir: ../main/.git/worktrees/app\n",
      "main/.git/worktrees/app/commondir": "../..\n",
      "main/.git/worktrees/app/config.worktree": "[core]\nhooksPath = hk\n",
      "main/.git/config": "[core]\nhooksPath = tools\n",
    });
    await link(session.root, "hk", "real");
    await link(session.root, "tools/pre-commit", "../scripts/check");
    expect(protection(session, "real/pre-commit")).toContain("hk is named by");
    expect(protection(session, "scripts/check")).toContain("tools is named by");
    expect(protection(session, "scripts/other")).toBeUndefined();
  });

  it.for([
    "[core]\n# hooksPath = src\n",
    "[other]\nhooksPath = src\npath = ../src\n",
    "[core]\nhooksPath =\n[include]\npath\n",
    `[core]\nhooksPath = src\n${"#".repeat(262_144)}`,
  ])("is nothing in %#", async (config) => {
    const session = await fileSession({ ...gitDirectory("app"), "app/.git/config": config });
    expect(protection(session, "src/a.ts")).toBeUndefined();
  });
});

describe("a directory that a write would make one of Git", () => {
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
  ] as const)("is asked about: %j and then %s", async ([there, file]) => {
    const files = Object.fromEntries(there.map((name) => [`app/d/${name}`, ""]));
    const session = await fileSession(files);
    expect(protection(session, `d/${file}`)).toBe(
      "d belongs to Git, which may run what stands in it.",
    );
    expect(protection(session, "d/other.ts")).toBeUndefined();
    expect(protection(session, "d/other/x.ts")).toBeUndefined();
  });

  it.for([
    [["hooks/use-a.ts", "config/a.ts", "objects/a.ts"], "hooks/use-b.ts"],
    [["hooks/use-a.ts", "config.ts"], "config/b.ts"],
    [["hooks/use-a.ts", "refs/a.ts"], "refs/b.ts"],
    [[], "config"],
    [["other"], "HEAD"],
  ] as const)("is no directory of sources: %j and then %s", async ([there, file]) => {
    const files = Object.fromEntries(there.map((name) => [`app/d/${name}`, ""]));
    expect(protection(await fileSession(files), `d/${file}`)).toBeUndefined();
  });
});

describe("paths that the session protects", () => {
  it("are those files, what is in those directories, and what links in them lead to", async () => {
    const session = await fileSession(
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

  it("are not asked for before a write, and again when a file brought instructions", async () => {
    let asked = 0;
    const session = await fileSession({ "app/a.ts": "x\n" }, () => ({
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

describe("a call that waited for its turn", () => {
  const SWAP = "rm -rf d && ln -s .git/hooks d";
  const files = { ...gitDirectory("app"), "app/.git/hooks/x": "x\n", "app/d/x": "x\n" };

  it("is refused when its path leads elsewhere by then", async () => {
    const session = await fileSession(files);
    const results = await Promise.all([
      session.call("Bash", { command: SWAP }),
      session.call("Write", { file_path: "d/pre-commit", content: "evil" }),
    ]);
    expect(results[1]).toMatchObject({ isError: true, data: { code: "CHANGED" } });
    expect(results[1].text).toContain("(.git/hooks/pre-commit), and nothing was done");
    expect((await session.call("Read", { file_path: ".git/hooks/pre-commit" })).isError).toBe(true);
    const again = await session.call("Write", { file_path: "d/pre-commit", content: "mine" });
    expect(again.text).toContain("Created .git/hooks/pre-commit");
  });

  it("is refused when what led nowhere leads somewhere by then", async () => {
    const session = await fileSession({ "app/a": "" });
    await link(session.root, "d", "later");
    const context = { after: [], notify: () => undefined };
    const results = await Promise.all([
      session.tool("Bash").run({ command: "mkdir later" }, context),
      session.tool("Write").run({ file_path: "d/a", content: "x" }, context),
    ]);
    expect(results[1].data).toEqual({ code: "CHANGED" });
  });

  it("is refused when its file is protected by then", async () => {
    const session = await fileSession({ "app/docs/x": "x\n", "app/.claude/x": "" });
    await session.text("Read", { file_path: "docs/x" });
    const results = await Promise.all([
      session.call("Bash", { command: "ln -s ../docs .claude/rules" }),
      session.call("Edit", { file_path: "docs/x", old_string: "x", new_string: "y" }),
      session.call("Write", { file_path: "other/x", content: "x" }),
    ]);
    expect(results.map(({ data }) => data)).toMatchObject([{}, { code: "CHANGED" }, { lines: 1 }]);
  });

  it("is done when only what is on its way was made", async () => {
    const session = await fileSession();
    const results = await Promise.all([
      session.call("Bash", { command: "mkdir -p d/deep && echo 1 > d/other" }),
      session.call("Write", { file_path: "d/deep/a", content: "x" }),
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([undefined, undefined]);
  });
});

/** Other tools on the same directory, which have looked at nothing yet. */
async function fileSessionAgain({
  root,
}: FileToolSession): Promise<(file: string) => string | undefined> {
  const fresh = await fileSession({}, () => ({ root, startDirectory: root }));
  return (file) => protection(fresh, file);
}
