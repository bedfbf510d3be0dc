import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "@caliban/common";
import { describe, expect, it } from "vitest";
import { composeAgent } from "../../../src/conversation/prompt/compose-agent.ts";
import { type Invocation, NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { machine, type Machine } from "../../fake-host.ts";

const SETTINGS = ".config/caliban/settings.toml";

const toolNames = (prompt: string): readonly string[] =>
  /^# Tools\n\n(.*)$/m.exec(prompt)?.[1]?.split(", ") ?? [];

describe("permission rules in composeAgent", () => {
  it.for([
    ["memry", "memory"],
    ["writememorytopic", "WriteMemoryTopic"],
    ["memory.writ", "memory.write"],
  ] as const)("warns about the rule %j, which matches no tool", async ([rule, meant]) => {
    const { caliban } = await machine({ [SETTINGS]: `[permissions]\ndeny = ["${rule}"]\n` });
    const { stderr } = await caliban("prompt");
    expect(stderr).toContain(`the rule ${rule} matches no tool; did you mean ${meant}?`);
  });

  it.for([
    ["memory.*"],
    ["memory"],
    ["shell"],
    ["WriteMemoryTopic"],
    ["*"],
    ["mcp.anything"],
  ] as const)("accepts %j without a warning", async ([rule]) => {
    const { caliban } = await machine({ [SETTINGS]: `[permissions]\nask = ["${rule}"]\n` });
    expect((await caliban("prompt")).stderr).toBe("");
  });

  it("warns about a flag whose rule matches no tool of this run", async () => {
    const { caliban } = await machine({ [SETTINGS]: '[permissions]\ndeny = ["Later"]\n' });
    expect((await caliban("prompt")).stderr).toBe("");
    expect((await caliban("prompt", "--allow", "nope", "--deny", "fs")).stderr).toBe(
      "caliban: warning: --allow: the rule nope matches no tool in this run\n",
    );
  });

  it("rejects an invalid rule of the user, and ignores one of a repository", async () => {
    const own = await machine({ [SETTINGS]: '[permissions]\ndeny = ["Bash("]\n' });
    expect(await own.caliban("prompt")).toMatchObject({ exitCode: 2 });
    const theirs = await machine({
      "app/.caliban/settings.toml": '[permissions]\ndeny = ["Bash(", "memory.write"]\n',
    });
    const { exitCode, stderr, stdout } = await theirs.caliban("prompt");
    expect(exitCode).toBe(0);
    expect(stderr).toContain('"Bash(" is ignored');
    expect(toolNames(stdout)).not.toContain("WriteMemoryTopic");
  });

  it("ignores allow rules of a repository", async () => {
    const { caliban } = await machine({
      [SETTINGS]: '[memory]\nwrite = "off"\n',
      "app/.caliban/settings.toml":
        '[permissions]\nallow = ["memory.*"]\n[memory]\nwrite = "allow"\n',
    });
    const { stdout, stderr } = await caliban("prompt");
    expect(toolNames(stdout)).not.toContain("WriteMemoryTopic");
    expect(stderr).toContain("permissions.allow is ignored in a project file");
    expect(stderr).toContain("memory.write is ignored in a project file");
  });

  it("offers the same tools in every mode, so that a mode change leaves the prompt alone", async () => {
    const usual = await (await machine()).caliban("prompt");
    const plan = await machine({ [SETTINGS]: '[permissions]\nmode = "plan"\n' });
    expect(toolNames((await plan.caliban("prompt")).stdout)).toEqual(toolNames(usual.stdout));
  });

  it("offers a tool even when a pattern denies some of its calls", async () => {
    const { caliban } = await machine();
    const { stdout } = await caliban("prompt", "--deny", "ReadMemoryTopic(secret*)");
    expect(toolNames(stdout)).toContain("ReadMemoryTopic");
  });
});

describe("topics in composeAgent", () => {
  it.for([
    ["allow", ["MEMORY.md"]],
    ["ask", undefined],
    ["off", undefined],
  ] as const)(
    "creates the index when the first tool is used and may write (%s)",
    async ([rung, names]) => {
      const here = await machine({ [SETTINGS]: `[memory]\nwrite = "${rung}"\n` });
      const invocation = { ...NO_OPTIONS, host: here.host };
      const project = await openProject(invocation);
      const { tools } = await composeAgent({
        project,
        memory: await project.memory(),
      });
      const directory = join(here.home, ".local/share/caliban/projects", here.slug, "memory");
      expect(existsSync(directory)).toBe(false);
      const read = tools.find(({ name }) => name === "ReadMemoryTopic");
      await read?.run({ name: "a" }, { usedTools: [], notify: () => undefined });
      expect(existsSync(directory) ? readdirSync(directory) : undefined).toEqual(names);
    },
  );
});

describe("skills in composeAgent", () => {
  const skill = (name: string, description = "d"): string =>
    `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;

  it("lists skills in the prompt, and offers a tool that reads them", async () => {
    const { caliban } = await machine({
      "app/.caliban/skills/release/SKILL.md": skill("release", "how to release"),
    });
    const { stdout } = await caliban("prompt");
    expect(stdout).toContain("- release: how to release\n");
    expect(toolNames(stdout)).toContain("Skill");
  });

  it("keeps a repository from replacing the bundled skill", async () => {
    const { caliban } = await machine({
      "app/.claude/skills/auto-memory/SKILL.md": skill("auto-memory", "evil"),
    });
    const { stdout, stderr } = await caliban("prompt");
    expect(stdout).not.toContain("evil");
    expect(stderr).toContain("auto-memory");
  });

  it("limits the part of the prompt that skills take, however many there are", async () => {
    const files = Array.from({ length: 150 }, (_, n) => [
      `app/.caliban/skills/s${n}/SKILL.md`,
      skill(`s${n}`, "x".repeat(1000)),
    ]);
    const { caliban } = await machine(Object.fromEntries(files));
    const { stdout, stderr } = await caliban("prompt");
    expect(Buffer.byteLength(stdout)).toBeLessThan(30_000);
    expect(stderr).toMatch(/\d+ skills are not listed in the prompt/);
  });
});

describe("file tools in composeAgent", () => {
  async function toolsOf(here: Machine, changes: Partial<Invocation> = {}) {
    const invocation = { ...NO_OPTIONS, host: here.host, ...changes };
    const project = await openProject(invocation);
    const memory = await project.memory();
    const { tools } = await composeAgent({ project, memory });
    return async (name: string, input: unknown) =>
      await tools
        .find((tool) => tool.name === name)
        ?.run(input, { usedTools: [], notify: () => undefined });
  }

  const write = (file: string) => ({ file_path: file, content: "x\n" });

  it("reads memory addresses, and leaves topics to the memory tools", async () => {
    const here = await machine();
    const call = await toolsOf(here);
    await call("WriteMemoryTopic", { name: "a", description: "d", type: "user", body: "b" });
    expect(await call("Read", { file_path: "memory://index" })).toMatchObject({
      text: expect.stringContaining("[a](a.md)"),
    });
    const notes = join(here.home, ".local/share/caliban/projects", here.slug, "memory");
    expect((await call("Read", { file_path: join(notes, "a.md") }))?.isError).not.toBe(true);
    expect(await call("Write", write(join(notes, "b.md")))).toMatchObject({
      isError: true,
      text: expect.stringContaining("WriteMemoryTopic"),
    });
  });

  it("reads no topics when auto-memory is off", async () => {
    const here = await machine({ [SETTINGS]: "[memory]\nauto = false\n" });
    const call = await toolsOf(here);
    expect(await call("Read", { file_path: "memory://index" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("auto-memory is off in this run"),
    });
  });

  it("works in directories added by settings or flags, and nowhere else", async () => {
    const here = await machine({
      "lib/a.txt": "a",
      "more/b.txt": "b",
      "other/c.txt": "c",
      [SETTINGS]: 'additional_directories = ["~/lib"]\n',
    });
    const call = await toolsOf(here, { additionalDirectories: ["../more"] });
    const read = async (file: string) =>
      (await call("Read", { file_path: join(here.home, file) }))?.isError === true;
    expect(await read("lib/a.txt")).toBe(false);
    expect(await read("more/b.txt")).toBe(false);
    expect(await read("other/c.txt")).toBe(true);
  });

  it("reads files next to a skill", async () => {
    const here = await machine({
      ".config/caliban/skills/release/SKILL.md":
        "---\nname: release\ndescription: d\n---\n\nDo it.\n",
      ".config/caliban/skills/release/steps.md": "One.\n",
      ".config/caliban/other.md": "Two.\n",
    });
    const call = await toolsOf(here);
    const steps = join(here.home, ".config/caliban/skills/release/steps.md");
    expect(await call("Read", { file_path: steps })).toMatchObject({
      text: expect.stringContaining("One."),
    });
    const elsewhere = join(here.home, ".config/caliban/other.md");
    expect(await call("Read", { file_path: elsewhere })).toMatchObject({ isError: true });
  });
});

describe("--bare", () => {
  it("loads no skills from disk with --bare", async () => {
    const skill = "---\nname: release\ndescription: d\n---\n\nDo it.\n";
    const { caliban } = await machine({
      "app/.caliban/skills/release/SKILL.md": skill,
      ".config/caliban/skills/own/SKILL.md": skill.replace("release", "own"),
    });
    const { stdout } = await caliban("prompt", "--bare");
    expect(stdout).not.toContain("release");
    expect(stdout).not.toContain("- own:");
  });
});

describe("the size of a request", () => {
  it("uses at most 3,500 tokens for the system prompt and all tools", async () => {
    const here = await machine();
    const project = await openProject({ ...NO_OPTIONS, host: here.host });
    const memory = await project.memory();
    const { prompt, tools } = await composeAgent({ project, memory });
    const shown = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const tokens = estimateTokens(prompt.text) + estimateTokens(JSON.stringify(shown));
    expect(tokens).toBeLessThanOrEqual(3_500);
  });
});
