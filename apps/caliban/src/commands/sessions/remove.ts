import { terminalSafeJson } from "@caliban/common";
import { findSession } from "@caliban/sessions/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { eraseCheckpoints, eraseSession } from "./erase-session.ts";
import { openSessions } from "./open-sessions.ts";

/** `caliban sessions rm SESSION`: asks first, because it cannot be undone. The checkpoints go with the conversation. */
export async function removeStoredSession(invocation: Invocation): Promise<CommandResult> {
  const [session = ""] = invocation.operands;
  const { project, directory, warnings } = await openSessions(invocation);
  const id = findSession(directory, session);
  const onlyCheckpoints = invocation.options["checkpoints"] === true;
  const what = onlyCheckpoints ? `the checkpoints of session ${id}` : `session ${id}`;
  if (!(await isConfirmed(invocation, what)))
    return { stdout: "", stderr: [`${id} was not removed`], exitCode: EXIT.failed };
  const checkpointBytes = onlyCheckpoints
    ? eraseCheckpoints(invocation.host, id)
    : await eraseSession(invocation.host, { directory, project }, id);
  const kind = onlyCheckpoints ? "checkpoints-removed" : "removed";
  const report = { kind, id, ...(checkpointBytes === undefined ? {} : { checkpointBytes }) };
  const text = onlyCheckpoints
    ? checkpointBytes === undefined
      ? `${id} has no checkpoints\n`
      : `removed ${what}\n`
    : `removed ${id}\n`;
  const stdout = invocation.json ? `${terminalSafeJson(report)}\n` : text;
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}

async function isConfirmed({ host, options }: Invocation, what: string): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError("rm asks for confirmation, and stdin is not a terminal; pass --force");
  return await host.confirm(`Permanently remove ${what}?`);
}
