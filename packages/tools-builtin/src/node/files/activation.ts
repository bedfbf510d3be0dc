import type { FileToolResult } from "../file-tool.ts";
import type { ToolState } from "../tool-state.ts";

/** Adds the rules and instructions that apply to a touched file to the result of the call. */
export async function withActivation(
  { workspace, activatedPaths, forgetProtectedPaths }: ToolState,
  path: string,
  result: FileToolResult,
): Promise<FileToolResult> {
  const { text, paths = [] } = (await workspace.activate?.(path)) ?? { text: "" };
  for (const loaded of paths) activatedPaths.add(loaded);
  if (text !== "") forgetProtectedPaths();
  return { ...result, activation: text };
}
