import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createToolRunner, type ToolResult } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { composeAgent } from "../../../src/conversation/prompt/compose-agent.ts";
import { createToolWorkspace } from "../../../src/conversation/prompt/tool-workspace.ts";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { type Machine, machine } from "../../fake-host.ts";

type Call = (name: string, input: unknown) => Promise<ToolResult>;

/** Calls tools in accept-edits mode without asking anyone. Commands are allowed. */
async function callsOf(here: Machine): Promise<Call> {
  const project = await openProject({ ...NO_OPTIONS, host: here.host });
  const memory = await project.memory();
  const overrides = { mode: "accept-edits" } as const;
  const { tools, policy } = await composeAgent({ project, memory, overrides });
  const allow = [{ text: "Bash", name: "Bash", source: "test" }];
  const { run } = createToolRunner({
    tools,
    policy: { ...policy, allow },
    notify: () => undefined,
  });
  return async (name, input) => await run({ name, input });
}

async function link(home: string, name: string, target: string): Promise<void> {
  await mkdir(dirname(join(home, name)), { recursive: true });
  await symlink(target, join(home, name));
}

const write = (file_path: string): unknown => ({ file_path, content: "EVIL" });

describe("protected paths in accept-edits mode", () => {
  it.for([
    ["docs/imp.md", "is loaded into the prompt"],
    ["docs/awaited.md", "is loaded into the prompt"],
    ["rules/r.md", "is loaded into the prompt"],
    ["rules/new.md", ".claude controls"],
    ["sk/evil/SKILL.md", ".claude controls"],
    ["cfg.toml", ".caliban controls"],
    ["hooks2/pre-commit", ".git belongs to Git"],
    ["other/real.md", "CLAUDE.md tells agents"],
  ] as const)(
    "asks before writing %s, which controls agents under another name",
    async ([file, reason]) => {
      const here = await machine({
        "app/CLAUDE.md": "Hello.\n\n@docs/imp.md\n@docs/awaited.md\n",
        "app/docs/imp.md": "Imported.\n",
        "app/rules/r.md": "Rule.\n",
        "app/sk/a/SKILL.md": "---\nname: a\ndescription: d\n---\nText.\n",
        "app/cfg.toml": "",
        "app/hooks2/x": "",
        "app/other/real.md": "Nested.\n",
      });
      await link(here.home, "app/.claude/rules", "../rules");
      await link(here.home, "app/.claude/skills", "../sk");
      await link(here.home, "app/.caliban/settings.toml", "../cfg.toml");
      await link(here.home, "app/.git/hooks", "../hooks2");
      await link(here.home, "app/sub/CLAUDE.md", "../other/real.md");
      const call = await callsOf(here);
      await call("Read", { file_path: file });
      const { text, data } = await call("Write", write(file));
      expect(text).toContain(reason);
      expect(data).toMatchObject({ code: "DENIED" });
      expect((await call("Write", write("docs/free.md"))).isError).toBeUndefined();
    },
  );

  it("asks before writing a file that was activated during the session", async () => {
    const here = await machine({
      "app/sub/CLAUDE.md": "Nested.\n\n@../docs/imp.md\n",
      "app/sub/a.ts": "x\n",
      "app/docs/imp.md": "Imported.\n",
    });
    const call = await callsOf(here);
    await call("Read", { file_path: "docs/imp.md" });
    expect((await call("Read", { file_path: "sub/a.ts" })).text).toContain("Imported.");
    expect((await call("Write", write("docs/imp.md"))).text).toContain("is loaded into the prompt");
  });

  it.for([
    ".config/caliban/settings.toml",
    ".config/caliban/skills/e/SKILL.md",
    ".local/state/caliban/approvals.json",
    ".local/share/caliban/projects/x",
    ".cache/caliban/x",
    "dotfiles/rules/r.md",
  ])(
    "asks before writing caliban's own ~/%s when the home directory is the workspace",
    async (file) => {
      const here = await machine({ "dotfiles/rules/x": "" });
      await link(here.home, ".config/caliban/rules", join(here.home, "dotfiles/rules"));
      const call = await callsOf(here.with({ cwd: here.home }));
      const { text, data } = await call("Write", write(file));
      expect(text).toContain("is where caliban stores its own settings");
      expect(data).toMatchObject({ code: "DENIED" });
      expect((await call("Write", write(".config/other/settings.toml"))).isError).toBeUndefined();
    },
  );

  it("protects a loaded skill wherever it is", async () => {
    const { host, home } = await machine();
    const project = await openProject({ ...NO_OPTIONS, host, bare: true });
    const skill = {
      name: "s",
      description: "",
      body: "",
      modelInvocation: true,
      path: "/far/s/SKILL.md",
    };
    const { protectedPaths } = createToolWorkspace({
      project,
      memory: await project.memory(),
      skills: [
        { ...skill, origin: "workspace" },
        { ...skill, path: "SKILL.md", origin: "bundled" },
      ],
      topics: undefined,
      policy: { allow: [], ask: [], deny: [], mode: "default" },
    });
    const paths = protectedPaths?.().map(({ path }) => path) ?? [];
    expect(paths.filter((path) => !path.startsWith(home))).toEqual(["/far/s", "/far/s/SKILL.md"]);
  });

  it("asks before writing a hook through a link that a command created", async () => {
    const here = await machine({ "app/.git/hooks/x": "", "app/d/x": "" });
    const call = await callsOf(here);
    const [, { text, data }] = await Promise.all([
      call("Bash", { command: "rm -r d && ln -s .git/hooks d" }),
      call("Write", write("d/pre-commit")),
    ]);
    expect(text).toContain("is not what the call was permitted for");
    expect(data).toEqual({ code: "CHANGED" });
    expect(existsSync(join(here.home, "app/.git/hooks/pre-commit"))).toBe(false);
  });
});
