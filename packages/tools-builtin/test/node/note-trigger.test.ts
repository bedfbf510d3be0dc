import { join } from "node:path";
import { createToolRunner } from "@caliban/agent-core";
import type { NoteTrigger } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { createNoteTriggers } from "../../src/node/note-trigger.ts";
import { workspaceTools } from "../support/workspace-tools.ts";

type Call = readonly [name: string, input: unknown];

/** Runs real calls one after another and returns what the last one was about. */
async function triggerOf(...calls: readonly Call[]): Promise<NoteTrigger | undefined> {
  const { home, root, tools } = await workspaceTools(
    {
      "app/src/pool.ts": "import pg from 'pg';\n\nexport const max = 10;\n",
      "app/.caliban/memory/deploy.md": "Deploy with pnpm ship.\n",
      "other/notes.txt": "outside\n",
    },
    (directory) => ({ additionalDirectories: [join(directory, "other")] }),
  );
  const find = createNoteTriggers({ root, excludedDirectories: [join(root, ".caliban")] });
  let trigger: NoteTrigger | undefined;
  const all = { text: "*", name: "*", source: "test" };
  const { run } = createToolRunner({
    tools,
    policy: { allow: [all], ask: [], deny: [], mode: "yolo" },
    annotate: async (finished) => {
      trigger = find(finished);
      return undefined;
    },
  });
  for (const [name, input] of calls) {
    trigger = undefined;
    await run({ name, input: JSON.parse(JSON.stringify(input).replaceAll("HOME", home)) });
  }
  return trigger;
}

const readPool: Call = ["Read", { file_path: "src/pool.ts" }];

describe("what a call is about", () => {
  it("the trigger is the path and the shown lines of a file that was read", async () => {
    expect(await triggerOf(["Read", { file_path: "src/pool.ts", offset: 3 }])).toEqual({
      kind: "file",
      action: "read",
      path: "src/pool.ts",
      text: "export const max = 10;",
    });
  });

  it("the trigger is the changed text of an edit with the lines around it", async () => {
    const edit = { file_path: "src/pool.ts", old_string: "10", new_string: "20" };
    const trigger = await triggerOf(readPool, ["Edit", edit]);
    expect(trigger).toMatchObject({ kind: "file", action: "edit", path: "src/pool.ts" });
    expect(trigger).toHaveProperty("text", expect.stringContaining("import pg"));
    expect(trigger).toHaveProperty("text", expect.stringContaining("20"));
  });

  it("the trigger is the wanted change of an edit that failed", async () => {
    const edit = { file_path: "src/pool.ts", old_string: "min = 1", new_string: "min = 2" };
    expect(await triggerOf(readPool, ["Edit", edit])).toMatchObject({
      action: "edit",
      text: "min = 1\nmin = 2",
    });
  });

  it("the trigger is the content of a file, and whether it is new", async () => {
    const created = ["Write", { file_path: "src/new.ts", content: "one" }] as const;
    const expected = { kind: "file", path: "src/new.ts", text: "one" };
    expect(await triggerOf(created)).toEqual({ ...expected, action: "create" });
    expect(await triggerOf(created, created)).toEqual({ ...expected, action: "edit" });
  });

  it.each(["true", "false"])(
    "the trigger is the command %s, whatever its exit code",
    async (command) => {
      expect(await triggerOf(["Bash", { command }])).toEqual({ kind: "command", command });
    },
  );

  it("the trigger is the path and the pattern of a search", async () => {
    const search = { kind: "file", action: "read", path: "src", text: "max" };
    expect(await triggerOf(["Grep", { pattern: "max", path: "src" }])).toEqual(search);
    expect(await triggerOf(["Glob", { pattern: "*.ts", path: "src" }])).toMatchObject({
      path: "src",
    });
  });

  it.each<readonly [string, Call]>([
    ["a file that does not exist", ["Read", { file_path: "src/missing.ts" }]],
    ["a write that was refused", ["Write", { file_path: "src/pool.ts", content: "" }]],
    ["a search of the whole workspace", ["Grep", { pattern: "max" }]],
    ["a file of an added directory", ["Read", { file_path: "HOME/other/notes.txt" }]],
    ["a file of memory inside the workspace", ["Read", { file_path: ".caliban/memory/deploy.md" }]],
    ["an address", ["Read", { file_path: "memory://index" }]],
    ["invalid input", ["Bash", { command: "true", timeout_ms: -1 }]],
  ])("the trigger is nothing for %s", async (_case, call) => {
    expect(await triggerOf(call)).toBeUndefined();
  });

  it("the trigger is nothing for a tool of another program, whatever its name and input look like", () => {
    const find = createNoteTriggers({ root: "/app", excludedDirectories: [] });
    const tool = {
      name: "mcp__files__Read",
      description: "",
      permission: "mcp.files",
      isReadOnly: true,
      inputSchema: {},
      run: async () => ({ text: "" }),
    };
    const call = { name: tool.name, input: { file_path: "a.ts" } };
    expect(find({ tool, call, subject: "a.ts", result: { text: "1\ta" } })).toBeUndefined();
  });

  it("keeps the text short, however long the file is", async () => {
    const content = "word ".repeat(100_000);
    const trigger = await triggerOf(["Write", { file_path: "long.txt", content }]);
    expect(trigger?.kind === "file" ? trigger.text.length : 0).toBeLessThan(50_000);
  });
});
