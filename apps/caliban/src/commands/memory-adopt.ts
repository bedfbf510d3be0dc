import { abbreviateHome, pathStyleOf, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { adoptMemory as adopt } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../command.ts";
import { openSession } from "../compose.ts";
import { EXIT } from "../exit-code.ts";
import { refuseWhereOff } from "../notes-off.ts";

/** `caliban memory adopt`: a repository that moved takes its memory with it. */
export async function adoptMemory(invocation: Invocation): Promise<CommandResult> {
  const session = await openSession(invocation);
  refuseWhereOff(invocation, session);
  const { host } = invocation;
  const { from, to } = await adopt({ ...host, workspace: session.workspace });
  const shown = (path: string): string =>
    terminalSafeLine(abbreviateHome(pathStyleOf(host.platform), path, host.home));
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ from, to })}\n`
      : `took over the memory of ${shown(from)} for ${shown(to)}\n`,
    exitCode: EXIT.done,
  };
}
