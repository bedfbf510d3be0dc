import type { ListedTool } from "./tool-list.ts";

/** Summarizes how a tool list differs from the one before; empty if it does not. */
export function describeToolChanges(
  before: readonly ListedTool[] | undefined,
  after: readonly ListedTool[],
): string {
  const old = new Map((before ?? []).map((tool) => [tool.name, JSON.stringify(tool)]));
  const names = new Set(after.map(({ name }) => name));
  const added = after.filter(({ name }) => !old.has(name)).length;
  const changed = after.filter(
    (tool) => old.has(tool.name) && old.get(tool.name) !== JSON.stringify(tool),
  ).length;
  const removed = [...old.keys()].filter((name) => !names.has(name)).length;
  return [part(added, "added"), part(changed, "changed"), part(removed, "removed")]
    .filter((text) => text !== "")
    .join(", ");
}

function part(count: number, change: string): string {
  if (count === 0) return "";
  return `${count} ${count === 1 ? "tool" : "tools"} ${change}`;
}
