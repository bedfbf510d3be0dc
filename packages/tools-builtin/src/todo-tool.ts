import type { Tool, ToolResult } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";

const STATUSES: readonly unknown[] = ["pending", "in_progress", "completed"];
const MAX_TODOS = 50;
const MAX_CHARACTERS = 200;

/**
 * Creates the tool with which the model plans and shows its progress. Each call has the whole list, so the conversation
 * itself is where the list is kept.
 */
export function createTodoTool(): Tool {
  return {
    name: "TodoWrite",
    description: "Show your to-do list for work of several steps. Each call replaces it.",
    permission: "todo.write",
    // It changes nothing but the screen.
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: {
        todos: {
          type: "array",
          items: {
            type: "object",
            properties: {
              content: { type: "string" },
              status: { type: "string", enum: STATUSES },
            },
            required: ["content", "status"],
            additionalProperties: false,
          },
        },
      },
      required: ["todos"],
      additionalProperties: false,
    },
    run: async (input) => updateTodos(input),
  };
}

function updateTodos(input: unknown): ToolResult {
  const problem = findProblem(input);
  if (problem !== undefined) return { text: `TodoWrite was not run. ${problem}`, isError: true };
  const todos = isRecord(input) && Array.isArray(input["todos"]) ? input["todos"] : [];
  const completed = todos.filter((todo) => isRecord(todo) && todo["status"] === "completed").length;
  const text =
    todos.length === 0
      ? "The to-do list is empty now."
      : `The to-do list is updated: ${completed} of ${todos.length} done.`;
  return { text, data: { completed, total: todos.length }, isTrusted: true };
}

function findProblem(input: unknown): string | undefined {
  const todos: unknown = isRecord(input) ? input["todos"] : undefined;
  if (!Array.isArray(todos) || !isRecord(input) || Object.keys(input).length > 1) {
    return 'Call it with one field: {"todos": [{"content": "…", "status": "pending"}]}.';
  }
  if (todos.length > MAX_TODOS) return `The list can have at most ${MAX_TODOS} items.`;
  const invalid = todos.findIndex((todo) => !isTodo(todo));
  if (invalid === -1) return undefined;
  return `Item ${invalid + 1} needs content of 1 to ${MAX_CHARACTERS} characters and a status: ${STATUSES.join(", ")}.`;
}

function isTodo(todo: unknown): boolean {
  if (!isRecord(todo) || Object.keys(todo).length !== 2) return false;
  const { content, status } = todo;
  if (typeof content !== "string" || content.trim() === "") return false;
  return content.length <= MAX_CHARACTERS && STATUSES.includes(status);
}
