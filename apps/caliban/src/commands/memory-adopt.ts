import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { adoptMemory as adopt } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../command.ts";
import { openSession } from "../compose.ts";
import { EXIT } from "../exit-code.ts";
import { refuseWhereOff } from "../notes-off.ts";

/** `caliban memory adopt`: a repository that moved takes its memory with it. */
export async function adoptMemory(invocation: Invocation): Promise<CommandResult> {
  const session = await openSession(invocation);
  refuseWhereOff(invocation, session);
  const { from, to } = await adopt({ ...invocation.host, workspace: session.workspace });
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ from, to })}\n`
      : `took over the memory of ${terminalSafeLine(from)} for ${terminalSafeLine(to)}\n`,
    exitCode: EXIT.done,
  };
}
