import { describe, expect, it } from "vitest";
import type { ToolItem } from "../../src/transcript/items.ts";
import { renderItem } from "../../src/transcript/render-item.ts";
import { plain, theme } from "../plain-lines.ts";

const look = { theme, width: 30, isExpanded: false, workspaceRoot: "/w" };

function listOf(todos: unknown, isError = false): ToolItem {
  const facts = { completed: 1, total: 3, durationMs: 0 };
  const result = {
    text: "TodoWrite was not run. Why.",
    isError,
    facts: isError ? undefined : facts,
  };
  return { kind: "tool", id: "1", name: "TodoWrite", input: { todos }, result };
}

describe("the to-do list on the screen", () => {
  it("shows each item with its state, and the progress in the first line", () => {
    const item = listOf([
      { content: "Read the code", status: "completed" },
      { content: "Fix\nthe \u001B[2Jbug", status: "in_progress" },
      { content: "Run all the tests of the package", status: "pending" },
    ]);
    const lines = plain(renderItem(item, look));
    expect(lines).toEqual([
      "● TodoWrite · 1 of 3 done",
      "  ☑ Read the code",
      expect.stringMatching(/^  ▸ Fix.*bug$/),
      "  ☐ Run all the tests of the …",
    ]);
    expect(renderItem(item, look).join("")).not.toContain("\u001B[2J");
  });

  it.for([
    [0, ["▸ 0", "☐ 9", "… 5 more"]],
    [3, ["… 2 done", "☑ 2", "☐ 11", "… 3 more"]],
    [15, ["… 5 done", "☑ 5", "☑ 14"]],
  ] as const)("shows the part of a long list where %i items are done", ([done, expected]) => {
    const todos = Array.from({ length: 15 }, (_, at) => ({
      content: `${at}`,
      status: at < done ? "completed" : at === done ? "in_progress" : "pending",
    }));
    const lines = plain(renderItem(listOf(todos), look)).map((line) => line.trim());
    expect(lines).toEqual(expect.arrayContaining([...expected]));
    expect(lines.length).toBeLessThanOrEqual(13);
    expect(renderItem(listOf(todos), { ...look, isExpanded: true })).toHaveLength(16);
  });

  it("shows why a list was rejected", () => {
    expect(plain(renderItem(listOf([{ content: 1 }], true), { ...look, width: 80 }))).toEqual([
      expect.stringContaining("TodoWrite was not run. Why."),
    ]);
  });
});
