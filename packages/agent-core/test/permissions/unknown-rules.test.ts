import { describe, expect, it } from "vitest";
import type { PermissionPolicy } from "../../src/permissions/decide-permission.ts";
import { findUnknownRules } from "../../src/permissions/unknown-rules.ts";

const TOOLS = [
  { name: "WriteMemoryTopic", permission: "memory.write" },
  { name: "Read", permission: "fs.read" },
];

function policy(name: string, source: string): PermissionPolicy {
  return { allow: [], ask: [], deny: [{ name, text: name, source }], mode: "default" };
}

describe("findUnknownRules", () => {
  it.for([
    ["memory.wirte", "settings.toml", "did you mean memory.write?"],
    ["Raed", "settings.toml", "did you mean Read?"],
    ["nothing-alike", "--deny", "matches no tool in this run"],
  ] as const)("reports the rule %s of %s", ([name, source, message]) => {
    expect(findUnknownRules(policy(name, source), TOOLS)).toEqual([
      { code: "UNKNOWN_RULE", message: expect.stringContaining(message) },
    ]);
  });

  it.for([
    ["the name of a tool", "Read"],
    ["a permission", "memory.write"],
    ["a whole category", "memory.*"],
    ["a known category", "shell"],
    ["every tool", "*"],
    ["a permission of a server whose tools are not known", "mcp.notes"],
  ] as const)("accepts %s: %s", ([, name]) => {
    expect(findUnknownRules(policy(name, "--deny"), TOOLS, ["mcp.notes"])).toEqual([]);
  });

  it("accepts a name in the settings that resembles nothing", () => {
    expect(findUnknownRules(policy("SomeLaterTool", "settings.toml"), TOOLS)).toEqual([]);
  });
});
