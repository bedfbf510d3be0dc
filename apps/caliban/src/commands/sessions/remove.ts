import { terminalSafeJson } from "@caliban/common";
import { findSession, removeSession } from "@caliban/sessions/node";
import { forgetSearch } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { openSessions } from "./open-sessions.ts";

/** `caliban sessions rm SESSION`: asks first, because it cannot be undone. */
export async function removeStoredSession(invocation: Invocation): Promise<CommandResult> {
  const [session = ""] = invocation.operands;
  const { project, directory, warnings } = await openSessions(invocation);
  const id = findSession(directory, session);
  if (!(await isConfirmed(invocation, id)))
    return { stdout: "", stderr: [`${id} was not removed`], exitCode: EXIT.failed };
  await removeSession(directory, id);
  forgetSearch(invocation.host, project);
  const report = { kind: "removed", id };
  const stdout = invocation.json ? `${terminalSafeJson(report)}\n` : `removed ${id}\n`;
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}

async function isConfirmed({ host, options }: Invocation, id: string): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError("rm asks for confirmation, and stdin is not a terminal; pass --force");
  return await host.confirm(`Permanently remove session ${id}?`);
}
