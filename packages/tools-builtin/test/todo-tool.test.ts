import { createToolRunner } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { createTodoTool } from "../src/todo-tool.ts";

const CONTEXT = { usedTools: [], notify: () => undefined };

describe("the TodoWrite tool", () => {
  it("counts what is done, in a result that does not taint memory", async () => {
    const todos = [
      { content: "Read the code", status: "completed" },
      { content: "Fix the bug", status: "in_progress" },
    ];
    expect(await createTodoTool().run({ todos }, CONTEXT)).toEqual({
      text: "The to-do list is updated: 1 of 2 done.",
      data: { completed: 1, total: 2 },
      isTrusted: true,
    });
  });

  it("accepts an empty list", async () => {
    expect((await createTodoTool().run({ todos: [] }, CONTEXT)).text).toBe(
      "The to-do list is empty now.",
    );
  });

  it.for([
    [undefined, "Call it with one field"],
    [{ todos: "a" }, "Call it with one field"],
    [{ todos: [], more: 1 }, "Call it with one field"],
    [
      {
        todos: [
          { content: "a", status: "pending" },
          { content: "", status: "pending" },
        ],
      },
      "Item 2",
    ],
    [{ todos: [{ content: "a", status: "done" }] }, "a status: pending, in_progress, completed."],
    [{ todos: [{ content: "a".repeat(201), status: "pending" }] }, "1 to 200 characters"],
    [
      { todos: Array.from({ length: 51 }, () => ({ content: "a", status: "pending" })) },
      "at most 50 items",
    ],
  ] as const)("explains an invalid list %#", async ([input, reason]) => {
    const { text, isError } = await createTodoTool().run(input, CONTEXT);
    expect(isError).toBe(true);
    expect(text).toContain(`TodoWrite was not run. `);
    expect(text).toContain(reason);
  });

  it("needs no permission, also in plan mode and without anyone to ask", async () => {
    const { run } = createToolRunner({
      tools: [createTodoTool()],
      policy: { allow: [], ask: [], deny: [], mode: "plan" },
    });
    const result = await run({ name: "TodoWrite", input: { todos: [] } });
    expect(result.isError).toBeUndefined();
  });
});
