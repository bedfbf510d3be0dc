import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createToolRunner, type PermissionPolicy } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { workspaceTools, type WorkspaceTools } from "../../support/workspace-tools.ts";

const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

const FILES = {
  "outside.txt": "outside",
  ".ssh/id_rsa": "key",
  "app/a.ts": "a",
  "app/src/b.ts": "b",
  "app/src/deep/c.ts": "c",
  "app/conf/.env": "KEY=1",
  "app/.env": "KEY=1",
};

/** Runs a command without anyone to ask; whether it ran. */
async function runs({ tools }: WorkspaceTools, command: string): Promise<boolean> {
  const { run } = createToolRunner({ tools, policy: NO_RULES });
  const { data } = await run({ name: "Bash", input: { command } });
  return !(typeof data === "object" && data !== null && "code" in data && data.code === "DENIED");
}

async function withLinks(): Promise<WorkspaceTools> {
  const workspace = await workspaceTools(FILES);
  const { root, home } = workspace;
  await mkdir(join(root, "links"));
  await symlink(join(home, "outside.txt"), join(root, "links/out.ts"));
  await symlink(join(root, "a.ts"), join(root, "in.ts"));
  await symlink(join(home, "missing"), join(root, "dangling"));
  execFileSync("git", ["init", "-q", root]);
  return workspace;
}

describe("without a sandbox and without anyone to ask", () => {
  it.for([
    ["cat a.ts src/b.ts", true],
    ["cat in.ts", true],
    ["ls -la", true],
    ["cat missing.ts", true],
    ["rg -n '/api/v1' src", true],
    ["wc -l src/*.ts", true],
    ["grep -rn foo src", true],
    ["git status --short", true],
    ["git diff", true],
    ["find . -name '*.ts' -not -path './.git/*'", true],
    ["ls .env", true],
    ["cat ../outside.txt", false],
    ["cat links/out.ts", false],
    ["cat links/*.ts", false],
    ["head -n 1 dangling", false],
    ["cat .env", false],
    ["git show HEAD:.env", false],
    ["grep -rn KEY .", false],
    ["grep -rn KEY conf", false],
    ["grep -rn -e KEY", false],
    ["cat conf/.e*", false],
    ["cat .git/config", false],
    ["find .. -name x", false],
    ["ls /", false],
    ["touch x", false],
  ] as const)("runs %j: %j", async ([command, expected]) => {
    expect(await runs(await withLinks(), command)).toBe(expected);
  });

  it("asks about Git where the config of the repository names a program, or without a repository", async () => {
    const workspace = await withLinks();
    expect(await runs(workspace, "git status")).toBe(true);
    await writeFile(join(workspace.root, ".git/config"), "[core]\n\tfsmonitor = ./run.sh\n");
    expect(await runs(workspace, "git status")).toBe(false);
    expect(await runs(await workspaceTools(FILES), "git log")).toBe(false);
  });

  it("asks about a recursive search of more files than it can check", async () => {
    const many = Array.from({ length: 5_100 }, (_, index) => [`app/many/${index}`, ""] as const);
    const workspace = await workspaceTools(Object.fromEntries(many));
    expect(await runs(workspace, "grep -r foo many")).toBe(false);
    expect(await runs(workspace, "ls many")).toBe(true);
  });

  it("refuses a command whose file became a link to the outside while it waited", async () => {
    const workspace = await workspaceTools(FILES);
    const { run } = createToolRunner({
      tools: workspace.tools,
      policy: NO_RULES,
      ask: async () => "once",
    });
    const [, result] = await Promise.all([
      run({ name: "Bash", input: { command: "ln -s ../outside.txt new.ts" } }),
      run({ name: "Bash", input: { command: "cat new.ts" } }),
    ]);
    expect(result).toMatchObject({ isError: true, data: { code: "CHANGED" } });
  });
});
