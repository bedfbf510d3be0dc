import { terminalSafeJson } from "@caliban/common";
import { findSession, removeSession } from "@caliban/sessions/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { forgetSearch } from "../../project/search/forget-search.ts";
import { UsageError } from "../../usage-error.ts";
import { openSessions } from "./open-sessions.ts";

/** `caliban sessions rm SESSION`: asks, because nothing brings it back. */
export async function removeStoredSession(invocation: Invocation): Promise<CommandResult> {
  const [wanted = ""] = invocation.operands;
  const { project, directory, warnings } = await openSessions(invocation);
  const id = findSession(directory, wanted);
  if (!(await isMeant(invocation, id))) {
    return { stdout: "", stderr: `caliban: ${id} stays\n`, exitCode: EXIT.failed };
  }
  await removeSession(directory, id);
  forgetSearch(invocation.host, project);
  const report = { kind: "removed", id };
  const stdout = invocation.json ? `${terminalSafeJson(report)}\n` : `removed ${id}\n`;
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}

async function isMeant({ host, options }: Invocation, id: string): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError("rm asks before it removes, and nobody can answer here; add --force");
  return await host.confirm(`Remove session ${id} for good?`);
}
