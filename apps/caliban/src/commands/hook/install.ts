import { nearest, terminalSafeLine } from "@caliban/common";
import { findWorkspace } from "@caliban/memory/node";
import { HOOK_AGENTS, isHookAgent } from "../../agent-hooks/hook-event.ts";
import { AGENT_TARGETS, type AgentTarget } from "../../agent-hooks/install/agent-targets.ts";
import { removeBackup, saveBackup } from "../../agent-hooks/install/backups.ts";
import { replaceConfigFile } from "../../agent-hooks/install/config-file.ts";
import {
  type ConfigChange,
  hookFile,
  planInstall,
  type PlannedChange,
  planUninstall,
  type PlanInput,
} from "../../agent-hooks/install/plan-change.ts";
import { hookStateDirectory } from "../../agent-hooks/state-directory.ts";
import { createStyle } from "../../cli/style.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { output } from "../memory/output.ts";
import { renderTextDiff } from "../render-text-diff.ts";
import { displayPath } from "../user-paths.ts";

/** `caliban hook install AGENT`: shows what is added to the agent's configuration, and asks. */
export async function installHook(invocation: Invocation): Promise<CommandResult> {
  const { target, input } = await openTarget(invocation);
  const planned = planInstall(input);
  if ("problem" in planned) return failure(invocation, planned.problem);
  const { file, text } = planned;
  if (text === file.text)
    return unchanged(invocation, `already installed in ${displayPath(invocation.host, file.path)}`);
  if (!(await isConfirmed(invocation, planned))) return notConfirmed(invocation);
  // First, because the file before is not known afterwards. A second install keeps the first backup.
  if (input.stateDirectory !== undefined && text !== undefined)
    keepBackup(input.stateDirectory, input, { file, text });
  return write(invocation, planned, {
    kind: "installed",
    text: `installed hooks for ${target.title} in`,
    next: [
      ...[target.afterInstall ?? []].flat(),
      `see whether they arrive with: ${invocation.host.command("doctor --hooks")}`,
    ],
  });
}

/** `caliban hook uninstall AGENT`: removes what `install` added, and nothing else. */
export async function uninstallHook(invocation: Invocation): Promise<CommandResult> {
  const { target, input } = await openTarget(invocation);
  const planned = planUninstall(input);
  if ("problem" in planned) return failure(invocation, planned.problem);
  if (planned.text === planned.file.text)
    return nothingFound(
      invocation,
      `no hooks of caliban in ${displayPath(invocation.host, input.path)}`,
    );
  if (!(await isConfirmed(invocation, planned))) return notConfirmed(invocation);
  const result = write(invocation, planned, {
    kind: "uninstalled",
    text: `removed the hooks for ${target.title} from`,
    next: [],
  });
  if (result.exitCode === EXIT.done && input.stateDirectory !== undefined)
    removeBackup(input.stateDirectory, input.path);
  return result;
}

/** The text before the first install, so that uninstalling after an update restores it as well. */
function keepBackup(
  stateDirectory: string,
  { path, ...input }: PlanInput,
  { file, text }: { readonly file: ConfigChange["file"]; readonly text: string },
): void {
  const known = planUninstall({ ...input, path, stateDirectory });
  const before = isChange(known) ? known.text : file.text;
  saveBackup(stateDirectory, { path, before: before ?? null, after: text });
}

function isChange(planned: PlannedChange): planned is ConfigChange {
  return !("problem" in planned);
}

async function openTarget(
  invocation: Invocation,
): Promise<{ readonly target: AgentTarget; readonly input: PlanInput }> {
  const { host, operands, options } = invocation;
  const [name = ""] = operands;
  if (!isHookAgent(name)) {
    const similar = nearest(name, HOOK_AGENTS);
    const hint = similar === undefined ? "" : `; did you mean '${similar}'?`;
    const known = HOOK_AGENTS.join(", ");
    throw new UsageError(`no hooks for ${JSON.stringify(name)}, only for ${known}${hint}`);
  }
  const { env, home, platform, native } = host;
  const scope = options["project"] === true ? "project" : "user";
  if (home === undefined && scope === "user")
    throw new UsageError("no home directory found, so there is nowhere to install; set HOME");
  const target = AGENT_TARGETS[name];
  const { root } = await findWorkspace(invocation.workspace ?? host.cwd ?? "/");
  const path = hookFile(target, { env, home: home ?? "/", root }, scope);
  const stateDirectory = hookStateDirectory({ env, home, platform, native });
  const input = { host, target, path, stateDirectory };
  return { target, input: scope === "user" ? input : { ...input, root } };
}

/** Shows the change even with `--yes`. */
async function isConfirmed(
  { host, options, operands }: Invocation,
  { file, text }: ConfigChange,
): Promise<boolean> {
  const isYes = options["yes"] === true;
  if (!isYes && !host.isInteractive())
    throw new UsageError(
      `cannot ask for confirmation without a terminal; pass --yes to change the hooks of ${operands[0] ?? ""}`,
    );
  const style = createStyle(host.hasColor("stderr"));
  const name = displayPath(host, file.path);
  host.stderr(renderTextDiff({ name, before: file.text, after: text }, style));
  return isYes || (await host.confirm("Make this change?"));
}

interface Written {
  readonly kind: string;
  readonly text: string;
  readonly next: readonly string[];
}

function write(
  invocation: Invocation,
  { file, text }: ConfigChange,
  { kind, text: done, next }: Written,
): CommandResult {
  if (!replaceConfigFile(file, text))
    return failure(
      invocation,
      `${file.path}: another program changed it in the meantime, so nothing was written. Try again`,
    );
  return output(invocation, {
    data: { kind, path: file.path },
    text: `${done} ${displayPath(invocation.host, file.path)}\n`,
    stderr: next,
  });
}

function unchanged(invocation: Invocation, message: string): CommandResult {
  return output(invocation, { data: { kind: "unchanged", message }, text: `${message}\n` });
}

function nothingFound(invocation: Invocation, message: string): CommandResult {
  return output(invocation, {
    data: { kind: "unchanged", message },
    text: "",
    stderr: [message],
    exitCode: EXIT.nothingFound,
  });
}

function failure(invocation: Invocation, problem: string): CommandResult {
  const message = terminalSafeLine(problem);
  return output(invocation, {
    data: { kind: "problem", message },
    text: "",
    stderr: [message],
    exitCode: EXIT.failed,
  });
}

function notConfirmed(invocation: Invocation): CommandResult {
  return failure(invocation, "nothing was changed");
}
