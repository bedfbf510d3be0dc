import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { findClaudeMemory } from "../../../src/node/project/find-claude-memory.ts";

it("counts the topics of Claude Code, and finds instructions until there is a global file", async () => {
  const home = await temporaryDirectory();
  await writeFiles(home, {
    ".claude/CLAUDE.md": "Be brief.\n",
    ".claude/projects/-app/memory/MEMORY.md": "",
    ".claude/projects/-app/memory/a.md": "",
    ".claude/projects/-app/memory/b.txt": "",
  });
  const globalFile = join(home, "config/CLAUDE.md");
  const input = { env: {}, platform: "linux", home, projectPath: "/app", globalFile };
  expect(findClaudeMemory(input)).toEqual({
    topicCount: 1,
    instructions: join(home, ".claude/CLAUDE.md"),
  });
  await writeFiles(home, { "config/CLAUDE.md": "Mine.\n" });
  expect(findClaudeMemory(input).instructions).toBeUndefined();
  expect(findClaudeMemory({ ...input, home: undefined })).toEqual({
    topicCount: 0,
    instructions: undefined,
  });
});

it("suggests no instructions whose path does not fit into a line", async () => {
  const home = join(await temporaryDirectory(), "with space");
  await writeFiles(home, { ".claude/CLAUDE.md": "Be brief.\n" });
  const globalFile = join(home, "config/CLAUDE.md");
  const input = { env: {}, platform: "linux", home, projectPath: "/app", globalFile };
  expect(findClaudeMemory(input).instructions).toBeUndefined();
});
