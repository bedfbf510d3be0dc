import { nearest, terminalSafeJson } from "@caliban/common";
import {
  type ApprovalQuestion,
  type ConfiguredServers,
  findApprovalQuestion,
  questionRows,
} from "@caliban/mcp/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import {
  type ConfiguredHook,
  configuredHooks,
  requestedHooks,
  unusableReason,
} from "../../hooks/resolve-hooks.ts";
import { openProject } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";
import { settingsWarnings } from "../warnings.ts";

interface ProjectHooks {
  readonly hooks: readonly ConfiguredHook[];
  readonly requests: ConfiguredServers;
  /** For stderr. */
  readonly warnings: readonly string[];
}

async function openConfiguredHooks(invocation: Invocation): Promise<ProjectHooks> {
  const project = await openProject(invocation);
  return {
    hooks: configuredHooks(project),
    requests: requestedHooks(project),
    warnings: settingsWarnings(invocation.host, project.settings.warnings),
  };
}

/** `caliban hooks approve NAME`: shows what would run, and asks. */
export async function approveHook(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const { hooks, requests, warnings } = await openConfiguredHooks(invocation);
  const failure = (message: string): CommandResult => {
    return { stdout: "", stderr: [...warnings, message], exitCode: EXIT.failed };
  };
  const hook = hooks.find((one) => one.name === name);
  if (hook === undefined) return hookNotFound(invocation, name, { hooks, warnings });
  if (!hook.isRequested) return failure(`${name} is in your own settings and needs no approval`);
  const reason = unusableReason(hook);
  if (reason !== undefined) return failure(`cannot approve ${name}: ${reason}`);
  const found = await findApprovalQuestion(name, requests);
  if (found === undefined) return hookNotFound(invocation, name, { hooks, warnings });
  if ("refusal" in found) return failure(found.refusal);
  const { fingerprint } = found.request.server;
  if (!(await isConfirmed(invocation, found))) return failure(`${name} is not approved`);
  await requests.approvals.approve(name, fingerprint);
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ kind: "approved", name, fingerprint })}\n`
      : `approved ${name} in this workspace; any change to it requires a new approval\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

/** `caliban hooks forget NAME`: withdraws an approval, even of a hook that is no longer requested. */
export async function forgetHook(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const { hooks, requests, warnings } = await openConfiguredHooks(invocation);
  if (!(await requests.approvals.forget(name))) {
    if (!hooks.some((hook) => hook.name === name))
      return hookNotFound(invocation, name, { hooks, warnings });
    const stderr = [...warnings, `${name} has no approval to withdraw`];
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ kind: "forgotten", name })}\n`
      : `withdrew the approval of ${name}\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

/** Shows what is approved even with `--yes`. */
async function isConfirmed(
  { host, options }: Invocation,
  question: ApprovalQuestion,
): Promise<boolean> {
  const isYes = options["yes"] === true;
  if (!isYes && !host.isInteractive())
    throw new UsageError(
      `cannot ask for confirmation without a terminal; review the hook with: ${host.command("hooks")}, then pass --yes`,
    );
  host.stderr(renderHookQuestion(question, host));
  return isYes || (await host.confirm("Approve this hook?"));
}

/** Everything that decides what runs, in visible characters. The event and the tools are arguments of the command. */
function renderHookQuestion(
  question: ApprovalQuestion,
  display: Parameters<typeof questionRows>[1],
): string {
  const { request, isChanged } = question;
  const rows = questionRows(question, display);
  const width = Math.max(...rows.map(({ label }) => label.length));
  const changed = isChanged ? " It has changed since you approved it." : "";
  const lines = rows.map(({ label, text }) => `  ${label.padEnd(width)}  ${text}\n`);
  return [
    `This repository wants to run the hook ${request.server.name} before tools run.${changed}\n`,
    ...lines,
    "It runs in the sandbox, where it can change nothing and has no network, and gets the input of each call. It can deny a call or ask you about it, and allow nothing.\n",
  ].join("");
}

function hookNotFound(
  { host, json }: Invocation,
  name: string,
  { hooks, warnings }: Pick<ProjectHooks, "hooks" | "warnings">,
): CommandResult {
  const similar = nearest(
    name,
    hooks.map((hook) => hook.name),
  );
  const hint =
    similar === undefined
      ? `; to see all of them, run: ${host.command("hooks")}`
      : `; did you mean '${similar}'?`;
  return {
    stdout: json ? `${terminalSafeJson({ found: false, name, nearest: similar })}\n` : "",
    stderr: [...warnings, `no such hook: ${JSON.stringify(name)}${hint}`],
    exitCode: EXIT.nothingFound,
  };
}
