import type { ToolResult } from "@caliban/agent-core";
import type { ToolState } from "../tool-state.ts";

/** Appends the rules and instructions that apply to a touched file to the result of the call. */
export async function withActivation(
  { workspace, activatedPaths, forgetProtectedPaths }: ToolState,
  path: string,
  result: ToolResult,
): Promise<ToolResult> {
  const { text, paths = [] } = (await workspace.activate?.(path)) ?? { text: "" };
  for (const loaded of paths) activatedPaths.add(loaded);
  if (text !== "") forgetProtectedPaths();
  return text === "" ? result : { ...result, text: `${result.text}\n\n${text}` };
}
