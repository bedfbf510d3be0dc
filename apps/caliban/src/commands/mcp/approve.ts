import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { examineRequest } from "../../../../../packages/mcp/src/node/trust/examine-request.ts";
import { renderQuestion, type ApprovalQuestion } from "../../../../../packages/mcp/src/trust/approval-question.ts";
import { UsageError } from "../../usage-error.ts";
import { type ConfiguredServers, openConfigured, serverNotFound } from "./open-configured.ts";

/** `caliban mcp approve NAME`: shows what the question on the screen shows, and asks. */
export async function approveServer(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const configured = await openConfigured(invocation);
  const { approvals, warnings } = configured;
  const found = await questionAbout(name, configured);
  if (found === undefined)
    return serverNotFound(invocation, name, { known: namesOf(configured), warnings });
  if ("refusal" in found) {
    const stderr = `${warnings}caliban: ${terminalSafeLine(found.refusal)}\n`;
    return { stdout: "", stderr, exitCode: EXIT.failed };
  }
  const { server } = found.request;
  if (!(await isMeant(invocation, found))) {
    const stderr = `${warnings}caliban: ${name} is not approved\n`;
    return { stdout: "", stderr, exitCode: EXIT.failed };
  }
  await approvals.approve(name, server.fingerprint);
  const report = { kind: "approved", name, fingerprint: server.fingerprint };
  return {
    stdout: invocation.json
      ? `${terminalSafeJson(report)}\n`
      : `approved ${name} for this workspace, as it is now; when it changes, it needs approval again\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

type Found = ApprovalQuestion | { readonly refusal: string } | undefined;

async function questionAbout(name: string, configured: ConfiguredServers): Promise<Found> {
  const unusable = configured.unusable.find((one) => one.name === name);
  if (unusable !== undefined) return { refusal: `${name} cannot be approved: ${unusable.reason}` };
  const resolved = configured.servers.find(({ server }) => server.name === name);
  if (resolved === undefined) return undefined;
  if (!resolved.isRequested) return { refusal: `${name} is in your own settings and needs no approval` };
  const wish = await examineRequest(resolved, configured.workspaceRoot);
  if ("reason" in wish) return { refusal: `${name} cannot be approved: ${wish.reason}` };
  const { names } = await configured.approvals.list();
  return { request: wish, isChanged: names.includes(name) };
}

function namesOf({ servers, unusable }: ConfiguredServers): readonly string[] {
  return [...servers.map(({ server }) => server.name), ...unusable.map(({ name }) => name)];
}

/** What is approved is shown first, also to those who say yes beforehand. */
async function isMeant({ host, options }: Invocation, question: ApprovalQuestion): Promise<boolean> {
  const isYes = options["yes"] === true;
  if (!isYes && !host.isInteractive())
    throw new UsageError(
      "approve asks before it approves, and nobody can answer here; look with `caliban mcp list`, then add --yes",
    );
  host.stderr(renderQuestion(question, host));
  return isYes || (await host.confirm("Approve it?"));
}
