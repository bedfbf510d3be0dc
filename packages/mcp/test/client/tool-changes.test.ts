import { expect, it } from "vitest";
import { describeToolChanges } from "../../src/client/tool-changes.ts";
import type { ListedTool } from "../../src/client/tool-list.ts";

const tool = (name: string, description = ""): ListedTool => ({
  name,
  description,
  inputSchema: {},
});

it.each([
  [undefined, [tool("a"), tool("b")], "2 tools added"],
  [[tool("a")], [tool("a")], ""],
  [
    [tool("a"), tool("b"), tool("d")],
    [tool("b", "other"), tool("c")],
    "1 tool added, 1 tool changed, 2 tools removed",
  ],
])("summarizes how a tool list changed (case %#)", (before, after, summary) => {
  expect(describeToolChanges(before, after)).toBe(summary);
});
