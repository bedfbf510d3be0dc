import { terminalSafeJson } from "@caliban/common";
import { type ApprovalQuestion, findApprovalQuestion, renderQuestion } from "@caliban/mcp/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import {
  openConfiguredServers,
  type ProjectServers,
  serverNotFound,
} from "./configured-servers.ts";

/** `caliban mcp approve NAME`: shows the same question as the screen, and asks. */
export async function approveServer(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const configured = await openConfiguredServers(invocation);
  const { approvals, warnings } = configured;
  const found = await findApprovalQuestion(name, configured);
  if (found === undefined)
    return serverNotFound(invocation, name, { known: namesOf(configured), warnings });
  if ("refusal" in found) return failure(warnings, found.refusal);
  const { fingerprint } = found.request.server;
  if (!(await isConfirmed(invocation, found))) return failure(warnings, `${name} is not approved`);
  await approvals.approve(name, fingerprint);
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ kind: "approved", name, fingerprint })}\n`
      : `approved ${name} in this workspace; any change to it requires a new approval\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

function failure(warnings: readonly string[], message: string): CommandResult {
  return { stdout: "", stderr: [...warnings, message], exitCode: EXIT.failed };
}

function namesOf({ servers, unusable }: ProjectServers): readonly string[] {
  return [...servers.map(({ server }) => server.name), ...unusable.map(({ name }) => name)];
}

/** Shows what is approved even with `--yes`. */
async function isConfirmed(
  { host, options }: Invocation,
  question: ApprovalQuestion,
): Promise<boolean> {
  const isYes = options["yes"] === true;
  if (!isYes && !host.isInteractive())
    throw new UsageError(
      `cannot ask for confirmation without a terminal; review the server with: ${host.command("mcp list")}, then pass --yes`,
    );
  host.stderr(renderQuestion(question, host));
  return isYes || (await host.confirm("Approve this server?"));
}
