import { describe, expect, it } from "vitest";
import {
  isKeyFileCall,
  isMemoryCall,
  namesInMemoryCall,
} from "../../src/transcript/memory-calls.ts";

describe("isMemoryCall", () => {
  it.for([
    ["ReadMemoryTopic", { name: "builds" }],
    ["MemorySearch", { query: "x" }],
    ["WriteMemoryTopic", { name: "builds", body: "x" }],
    ["UpdateMemory", {}],
    ["Skill", { skill: "release" }],
    ["mcp__caliban__read_memory_topic", {}],
    ["Read", { file_path: "/w/CLAUDE.md" }],
    ["Read", { file_path: String.raw`C:\w\.claude\rules\a.md` }],
    ["Read", { path: "memory://root/MEMORY.md" }],
    ["Read", { path: "/w/.caliban.md" }],
    ["Read", { path: "/w/sub/CLAUDE.local.md" }],
    ["Read", { path: "/home/me/.claude/projects/-w/memory/builds.md" }],
    ["Read", { path: "/d/caliban/projects/w/autonomous/current" }],
    ["Write", { file_path: "AGENTS.md", content: "x" }],
    ["read_file", { target_file: "skills/x/SKILL.md" }],
    ["Bash", { command: "cat CLAUDE.md | head" }],
    ["Bash", { command: "cd /w && sed -n 1,20p ./AGENTS.md" }],
    ["shell", { command: ["bash", "-lc", "cat .caliban/rules/a.md"] }],
    ["exec_command", { cmd: "cat 'MEMORY.md'" }],
    ["MultiRead", { files: [{ path: "README.md" }, { path: "claude.md" }] }],
    ["apply_patch", "*** Update File: CLAUDE.md\n+x"],
  ] as const)("recognizes %s with %j", ([name, input]) => {
    expect(isMemoryCall({ name, input }, [])).toBe(true);
  });

  it.for([
    ["Read", { file_path: "/w/packages/memory/src/tier.ts" }],
    ["Read", { file_path: "/w/docs/about-claude.md" }],
    ["Read", { file_path: "/w/CLAUDE.mdx" }],
    ["Write", { file_path: "docs/a.md", content: "see CLAUDE.md" }],
    ["Grep", { pattern: "CLAUDE.md", path: "src" }],
    ["Bash", { command: "pnpm test packages/autonomous-memory" }],
    ["Bash", null],
    ["Bash", undefined],
    ["Bash", 7],
  ] as const)("ignores %s with %j", ([name, input]) => {
    expect(isMemoryCall({ name, input }, [""])).toBe(false);
  });

  it.for([
    ["/odd/notes/x.md", true],
    ["/odd/notes", true],
    ["cat /odd/notes | head", true],
    ["/odd/notes-app/x.md", false],
    ["/odd/notes.bak/x.md", false],
    ["diff /odd/notes-app/a /odd/notes/a", true],
  ] as const)("decides whether %s is in a memory directory: %s", ([place, isMemory]) => {
    const call = { name: "Bash", input: { command: place } };
    expect(isMemoryCall(call, ["/odd/notes"])).toBe(isMemory);
  });

  it("recognizes the given memory directories", () => {
    const call = { name: "Bash", input: { command: "ls /my/notes/w" } };
    expect(isMemoryCall(call, ["/my/notes"])).toBe(true);
    expect(isMemoryCall(call, ["/your/notes"])).toBe(false);
  });

  it("keeps the name of the memory and none of its content", () => {
    expect(namesInMemoryCall({ name: "builds", body: "use pnpm", tags: ["a"] })).toEqual({
      name: "builds",
    });
    expect(namesInMemoryCall({ command: "cat > CLAUDE.md <<E\nuse pnpm\nE" })).toEqual({
      command: "cat > CLAUDE.md <<E",
    });
    expect(namesInMemoryCall("*** Begin Patch\n+use pnpm")).toEqual({ input: "*** Begin Patch" });
  });
});

describe("isKeyFileCall", () => {
  it.for([
    [{ file_path: "config/master.key" }, true],
    [{ command: "cat ~/.ssh/id_ed25519" }, true],
    [{ command: "head -c 20 server.pem" }, true],
    [{ command: "ssh -i ~/.ssh/id_rsa host uptime" }, false],
    [{ command: "cat ~/.ssh/id_ed25519.pub" }, false],
    [{ file_path: "src/keys.ts" }, false],
    [{ command: "cat a.txt; ls server.key" }, false],
  ] as const)("decides for %j: %j", ([input, expected]) => {
    expect(isKeyFileCall({ name: "any", input })).toBe(expected);
  });
});
