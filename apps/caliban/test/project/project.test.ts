import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_OPTIONS } from "../../src/command.ts";
import { openProject } from "../../src/project/project.ts";
import { machine } from "../fake-host.ts";

describe("openProject", () => {
  it("reads the settings and creates nothing", async () => {
    const { host, home } = await machine({
      "app/.caliban/settings.toml": "[memory]\nauto = false\n",
    });
    const { settings, workspace } = await openProject({ ...NO_OPTIONS, host });
    expect(workspace.root).toBe(join(home, "app"));
    expect(settings.values["memory.auto"]).toBe(false);
    expect(existsSync(join(home, ".local"))).toBe(false);
  });

  it("finds topics, sessions and learned memory in the same project home", async () => {
    const { host, home, slug } = await machine();
    const project = await openProject({ ...NO_OPTIONS, host });
    const projectHome = join(home, ".local/share/caliban/projects", slug);
    expect((await project.topics()).directory).toBe(join(projectHome, "memory"));
    expect(await project.sessions()).toMatchObject({
      project: slug,
      directory: join(projectHome, "sessions"),
    });
    expect(await project.learned()).toMatchObject({
      project: slug,
      directory: join(projectHome, "autonomous"),
      sessionsDirectory: join(projectHome, "sessions"),
      stateFile: join(home, ".local/state/caliban/memories.sqlite"),
    });
    expect(existsSync(projectHome)).toBe(false);
  });

  it("finds no project home without a home directory", async () => {
    const { host } = (await machine()).with({ env: {}, home: undefined });
    const project = await openProject({ ...NO_OPTIONS, host });
    expect(await project.home()).toBeUndefined();
    expect(await project.sessions()).toBeUndefined();
    expect(await project.learned()).toBeUndefined();
    await expect(project.topics()).rejects.toMatchObject({ code: "NO_MEMORY_DIRECTORY" });
  });

  it("loads the user's CLAUDE.local.md whatever the settings of the repository exclude or cap", async () => {
    const { host } = await machine({
      ".config/caliban/settings.toml": "claude_md_excludes = ['docs/*']\n",
      "app/.caliban/settings.toml":
        "claude_md_excludes = ['*.md']\n[memory]\ncap_tokens_claude_md = 1\n",
      "app/CLAUDE.md": "theirs\n",
      "app/CLAUDE.local.md": "mine\n",
    });
    const { prefix } = await (await openProject({ ...NO_OPTIONS, host })).memory();
    expect(prefix).toContain("mine");
    expect(prefix).not.toContain("theirs");
  });

  it("rejects an added directory that does not exist only when it is used", async () => {
    const { host } = await machine();
    const project = await openProject({ ...NO_OPTIONS, host, additionalDirectories: ["../gone"] });
    expect(() => project.addedDirectories()).toThrow("--add-dir: no such directory: ../gone");
  });

  it("keeps the directories of a project without memory tiers", async () => {
    const { host, home, slug } = await machine({ "app/CLAUDE.md": "Use pnpm.\n" });
    const project = await openProject({ ...NO_OPTIONS, host, memory: false });
    const projectHome = join(home, ".local/share/caliban/projects", slug);
    expect(await project.memory()).toMatchObject({
      prefix: "",
      projectHome,
      memoryDirectory: join(projectHome, "memory"),
    });
  });
});
