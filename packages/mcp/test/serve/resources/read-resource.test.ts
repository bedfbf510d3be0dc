import type { PermissionPolicy } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { readResource } from "../../../src/serve/resources/read-resource.ts";
import type { ServedMemory } from "../../../src/serve/served-memory.ts";

const RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

function memoryWith(changes: Partial<ServedMemory>): ServedMemory {
  return {
    topics: undefined,
    policy: RULES,
    tools: [],
    deniedTools: [],
    createRunner: () => {
      throw new Error("unused");
    },
    tickets: { issue: async () => "", isFor: async () => false },
    resolve: async () => ({ text: "The key is secret." }),
    ...changes,
  };
}

describe("reading a resource", () => {
  it("masks secrets in the text", async () => {
    const memory = memoryWith({ mask: (text) => text.replace("secret", "[masked]") });
    expect(await readResource("memory://prefix", memory)).toBe("The key is [masked].");
  });

  it("redacts paths in the problem of a missing resource", async () => {
    const memory = memoryWith({
      resolve: async () => ({ problem: "no /home/me/a.md" }),
      redactPaths: (text) => text.replace("/home/me", "<home>"),
    });
    await expect(readResource("memory://topics/a", memory)).rejects.toMatchObject({
      code: -32_002,
      message: "no <home>/a.md",
    });
  });

  it("refuses an address that is too long", async () => {
    const uri = `memory://topics/${"a".repeat(2_000)}`;
    await expect(readResource(uri, memoryWith({}))).rejects.toThrow("longer than 2000 characters");
  });
});
