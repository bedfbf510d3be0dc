import { terminalSafe, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { createMemoryResolver } from "@caliban/tools-builtin";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { memoryAddresses } from "../../../project/memory-addresses.ts";
import { openTopics } from "./open-topics.ts";

/** `caliban memory read URL`: what the agent gets for a `memory://` address. */
export async function readMemoryUrl(invocation: Invocation): Promise<CommandResult> {
  const [url = ""] = invocation.operands;
  const { json } = invocation;
  const { store, locations, project, warnings } = await openTopics(invocation);
  const { projectHome } = locations;
  const addresses = memoryAddresses({ project, projectHome });
  const resolved = await createMemoryResolver({ ...addresses, topics: store })(url);
  if ("problem" in resolved) {
    const stderr = `${warnings}caliban: ${terminalSafeLine(resolved.problem)}\n`;
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  const { text } = resolved;
  const stdout = json ? `${terminalSafeJson({ url, text })}\n` : terminalSafe(text);
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}
