import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { openConfigured, serverNotFound } from "./open-configured.ts";

/** `caliban mcp forget NAME`: takes the approval back, also of one that nobody wishes for any more. */
export async function forgetServer(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const { approvals, servers, warnings } = await openConfigured(invocation);
  const { names } = await approvals.list();
  const isForgotten = await approvals.forget(name);
  if (!isForgotten && servers.some(({ server }) => server.name === name)) {
    const stderr = `${warnings}caliban: ${name} has no approval that could be taken back\n`;
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  if (!isForgotten) return serverNotFound(invocation, name, { known: names, warnings });
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ kind: "forgotten", name })}\n`
      : `forgot the approval of ${name}; it needs a new one\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}
