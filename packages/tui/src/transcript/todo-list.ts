import { isRecord, terminalSafeLine } from "@caliban/common";
import { truncateToWidth } from "@earendil-works/pi-tui";
import type { Theme } from "../theme.ts";
import type { ToolItem } from "./items.ts";

interface Todo {
  readonly content: string;
  readonly status: unknown;
}

/** The to-do list of a call, which is all of its input; `undefined` for any other call, and for a list that was rejected. */
export function todosOf({ name, input, result }: ToolItem): readonly Todo[] | undefined {
  if (name !== "TodoWrite" || !isRecord(input) || result?.isError === true) return undefined;
  const { todos } = input;
  if (!Array.isArray(todos)) return undefined;
  return todos.flatMap((todo) => {
    if (!isRecord(todo) || typeof todo["content"] !== "string") return [];
    return [{ content: terminalSafeLine(todo["content"]), status: todo["status"] }];
  });
}

interface ListLook {
  readonly theme: Theme;
  readonly width: number;
  readonly isExpanded: boolean;
}

const MAX_ROWS = 10;

/** One line for each item. Of a long list, the lines around the first item that is not done. */
export function renderTodos(todos: readonly Todo[], look: ListLook): readonly string[] {
  const { theme, width, isExpanded } = look;
  const open = todos.findIndex(({ status }) => status !== "completed");
  const start = isExpanded ? 0 : firstRow(open === -1 ? todos.length : open, todos.length);
  const shown = isExpanded ? todos : todos.slice(start, start + MAX_ROWS);
  const hiddenAfter = todos.length - start - shown.length;
  const rest = (count: number, what: string): readonly string[] =>
    count === 0 ? [] : [theme.dim(truncateToWidth(`  … ${count} ${what}`, width, "…"))];
  return [
    ...rest(start, "done"),
    ...shown.map((todo) => renderTodo(todo, look)),
    ...rest(hiddenAfter, "more"),
  ];
}

/** One item that is done stays visible above the open ones. */
function firstRow(open: number, count: number): number {
  return Math.max(0, Math.min(open - 1, count - MAX_ROWS));
}

function renderTodo({ content, status }: Todo, { theme, width }: ListLook): string {
  const row = (mark: string): string => truncateToWidth(`  ${mark} ${content}`, width, "…");
  if (status === "completed") return theme.dim(row("☑"));
  return status === "in_progress" ? theme.bold(row("▸")) : row("☐");
}
