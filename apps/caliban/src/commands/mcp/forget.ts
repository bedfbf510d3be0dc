import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { openConfiguredServers, serverNotFound } from "./configured-servers.ts";

/** `caliban mcp forget NAME`: withdraws an approval, even of a server that is no longer requested. */
export async function forgetServer(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const { approvals, servers, warnings } = await openConfiguredServers(invocation);
  const { names } = await approvals.list();
  const isForgotten = await approvals.forget(name);
  if (!isForgotten && servers.some(({ server }) => server.name === name)) {
    const stderr = [...warnings, `${name} has no approval to withdraw`];
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  if (!isForgotten) return serverNotFound(invocation, name, { known: names, warnings });
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ kind: "forgotten", name })}\n`
      : `withdrew the approval of ${name}\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}
