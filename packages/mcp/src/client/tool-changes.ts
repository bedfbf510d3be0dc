import type { ListedTool } from "./tool-list.ts";

/** How a list differs from the one that the model was offered, in words; empty when it does not. */
export function describeToolChanges(
  before: readonly ListedTool[] | undefined,
  after: readonly ListedTool[],
): string {
  const old = new Map((before ?? []).map((tool) => [tool.name, JSON.stringify(tool)]));
  const added = after.filter(({ name }) => !old.has(name)).length;
  const changed = after.filter(
    (tool) => old.has(tool.name) && old.get(tool.name) !== JSON.stringify(tool),
  ).length;
  const names = new Set(after.map(({ name }) => name));
  const gone = [...old.keys()].filter((name) => !names.has(name)).length;
  return [part(added, "new"), part(changed, "changed"), part(gone, "gone")]
    .filter((words) => words !== "")
    .join(", ");
}

function part(count: number, what: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 tool is ${what}` : `${count} tools are ${what}`;
}
