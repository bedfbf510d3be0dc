import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { policyWith, type RuleTexts } from "../support/rules.ts";
import { workspaceTools, type WorkspaceTools } from "../support/workspace-tools.ts";

const SECRET = "The vault code is tangerine.";
const FILES = {
  "data/memory/MEMORY.md": "- [deploy](deploy.md)\n",
  "data/memory/payroll.md": `${SECRET}\n`,
  "data/memory/payroll.md.old.tmp": `${SECRET}\n`,
  "data/memory/deploy.md": "Run migrations.\n",
  "data/history/changes.jsonl": `${SECRET}\n`,
  "data/autonomous/generations/3/MEMORY.md": "Learned: use pnpm.\n",
};

/** A session whose root is the project, or the home directory with the memory in it. */
async function session(rules: RuleTexts, at: "app" | "." = "app"): Promise<WorkspaceTools> {
  return await workspaceTools(FILES, (home) => ({
    root: join(home, at),
    startDirectory: join(home, at),
    readableDirectories: [join(home, "data/memory"), join(home, "data/autonomous")],
    memoryDirectory: join(home, "data/memory"),
    learnedDirectory: join(home, "data/autonomous"),
    projectHome: join(home, "data"),
    policy: policyWith(rules),
  }));
}

/** Everything that the file tools show of memory, under each way to name it. */
async function everythingShown({ call, home }: WorkspaceTools): Promise<string> {
  await symlink(join(home, "data/memory"), join(home, "app/link"));
  const files = ["payroll.md", "payroll.md.old.tmp", "../history/changes.jsonl"];
  const paths = files.flatMap((file) => [join(home, "data/memory", file), `link/${file}`]);
  const results = await Promise.all([
    ...paths.map((file_path) => call("Read", { file_path })),
    ...[...paths, join(home, "data/memory"), join(home, "data"), "."].flatMap((path) => [
      call("Grep", { pattern: "vault|code", path, context: 2 }),
      call("Glob", { pattern: "**/*", path }),
    ]),
  ]);
  return results.map(({ text }) => text).join("\n");
}

describe("a rule about reading memory", () => {
  it.for([
    { deny: "memory.read(pay*)" },
    { deny: "memory.read" },
    { deny: "memory" },
    { deny: "fs.read(memory://topics/pay*)" },
    { deny: "ReadMemoryTopic(payroll)" },
    { ask: "memory.read(pay*)" },
  ])("keeps the file tools from showing the topic under any path: %j", async (rules) => {
    for (const root of ["app", "."] as const) {
      const shown = await everythingShown(await session(rules, root));
      expect(shown).not.toContain("tangerine");
      expect(shown).not.toMatch(/^.*\/payroll\.md$/m);
    }
  });

  it("leaves other topics and the index readable", async () => {
    const { text, home } = await session({ deny: "memory.read(pay*)" });
    const path = join(home, "data/memory");
    expect(await text("Read", { file_path: join(path, "deploy.md") })).toContain("Run migrations.");
    expect(await text("Read", { file_path: join(path, "MEMORY.md") })).toContain("deploy");
    expect(await text("Grep", { pattern: "migrations", path })).toContain("deploy.md");
  });

  it("applies to learned memory by its address", async () => {
    const file = "data/autonomous/generations/3/MEMORY.md";
    const denied = await session({ deny: "fs.read(memory://root/*)" });
    const result = await denied.call("Read", { file_path: join(denied.home, file) });
    expect(result).toMatchObject({ isError: true, data: { code: "DENIED" } });
    const { text, home } = await session({});
    expect(await text("Read", { file_path: join(home, file) })).toContain("use pnpm");
  });

  it("shows topics to the file tools when there is no rule about them", async () => {
    const { text, home } = await session({});
    const file_path = join(home, "data/memory/payroll.md");
    expect(await text("Read", { file_path })).toContain("tangerine");
  });
});

it.for(["Write", "Edit", "Grep", "Glob"])("%s rejects a memory address as a path", async (name) => {
  const { call, text } = await session({});
  const address = "memory://topics/x";
  const result = await call(name, {
    ...(name === "Write" || name === "Edit" ? { file_path: address } : { path: address }),
    ...(name === "Write" ? { content: "x" } : {}),
    ...(name === "Edit" ? { old_string: "a", new_string: "b" } : {}),
    ...(name === "Grep" || name === "Glob" ? { pattern: "x" } : {}),
  });
  expect(result).toMatchObject({ isError: true, data: { code: "BAD_PATH" } });
  expect(result.text).toContain("is an address, not a file");
  expect(await text("Glob", { pattern: "**/*" })).not.toContain("memory:");
});

it("rules about reading memory apply to the files about the user, too", async () => {
  const files = {
    "data/user/memory/payroll.md": `${SECRET}\n`,
    "data/user/memory/tabs.md": "Tabs.\n",
    "data/user/history/changes.jsonl": `${SECRET}\n`,
  };
  const { call, home } = await workspaceTools(files, (directory) => ({
    root: directory,
    startDirectory: directory,
    userMemoryDirectory: join(directory, "data/user/memory"),
    policy: policyWith({ deny: "memory.read(pay*)" }),
  }));
  const read = async (path: string): Promise<string> =>
    (await call("Read", { file_path: join(home, "data/user", path) })).text;
  expect(await read("memory/tabs.md")).toContain("Tabs.");
  const hidden = await Promise.all(["memory/payroll.md", "history/changes.jsonl"].map(read));
  expect(hidden.join("\n")).not.toContain("tangerine");
  expect((await call("Grep", { pattern: "vault", path: home })).text).not.toContain("tangerine");
  const input = { file_path: join(home, "data/user/memory/new.md"), content: "x" };
  expect((await call("Write", input)).text).toContain("only the memory tools may change");
});
