import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { ListedTool } from "../../src/client/tool-list.ts";
import { nameTools } from "../../src/client/tool-names.ts";
import { toolNames } from "./hostile-text.ts";

const tools = (names: readonly string[]): readonly ListedTool[] =>
  names.map((name) => ({ name, description: "", inputSchema: { type: "object" } }));

it("gives every tool a unique name that providers accept, whatever the order of the servers", () => {
  const servers = fc.uniqueArray(
    fc.record({
      server: fc.constantFrom("a", "a__b", "b"),
      names: fc.uniqueArray(toolNames, { maxLength: 4 }),
    }),
    { selector: ({ server }) => server, maxLength: 3 },
  );
  fc.assert(
    fc.property(servers, (given) => {
      const input = given.map(({ server, names }) => ({ server, tools: tools(names) }));
      const { tools: named } = nameTools(input);
      for (const { name } of named) expect(name).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/);
      expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
      expect(named).toHaveLength(given.flatMap(({ names }) => names).length);
      const reversed = input
        .toReversed()
        .map(({ server, tools: all }) => ({ server, tools: all.toReversed() }));
      expect(nameTools(reversed)).toEqual(nameTools(input));
    }),
  );
});

it("renames tools of two servers that would have the same name, and those whose name is taken", () => {
  const input = [
    { server: "x", tools: tools(["a__b", "memory"]) },
    { server: "x__a", tools: tools(["b"]) },
  ];
  const { tools: named, diagnostics } = nameTools(input, ["mcp__x__memory"]);
  expect(named.map(({ name }) => name)).toEqual([
    "mcp__x__a__b",
    expect.stringMatching(/^mcp__x__memory_[0-9a-f]{8}$/),
    expect.stringMatching(/^mcp__x__a__b_[0-9a-f]{8}$/),
  ]);
  expect(diagnostics).toMatchObject([{ code: "TOOL_RENAMED" }, { code: "TOOL_RENAMED" }]);
});
