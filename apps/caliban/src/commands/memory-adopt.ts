import { terminalSafeLine } from "@caliban/common";
import { adoptMemory as adopt } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../command.ts";
import { openSession } from "../compose.ts";
import { EXIT } from "../exit-code.ts";

/** `caliban memory adopt`: a repository that moved takes its memory with it. */
export async function adoptMemory(invocation: Invocation): Promise<CommandResult> {
  const { workspace } = await openSession(invocation);
  const { from, to } = await adopt({ ...invocation.host, workspace });
  return {
    stdout: `took over the memory of ${terminalSafeLine(from)} for ${terminalSafeLine(to)}\n`,
    exitCode: EXIT.done,
  };
}
