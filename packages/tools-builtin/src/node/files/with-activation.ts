import type { ToolResult } from "@caliban/agent-core";
import type { ToolState } from "../tool-state.ts";

/** A result with the rules and instructions behind it that the touched file brings into the session. */
export async function withActivation(
  { workspace, forgetProtectedPaths: forgetPlaces }: ToolState,
  path: string,
  result: ToolResult,
): Promise<ToolResult> {
  const text = (await workspace.activate?.(path))?.text ?? "";
  if (text !== "") forgetPlaces();
  return text === "" ? result : { ...result, text: `${result.text}\n\n${text}` };
}
