import { terminalSafeJson, wrapLines } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { summarizeHooks } from "../../hooks/summarize-hooks.ts";
import { openProject } from "../../project/project.ts";
import { settingsWarnings } from "../warnings.ts";
import { renderHooks } from "./render-hooks.ts";

/** `caliban hooks`: every hook, where it comes from, and whether it may run. Starts nothing. */
export async function listHooks(invocation: Invocation): Promise<CommandResult> {
  const { host, json } = invocation;
  const project = await openProject(invocation);
  const summaries = await summarizeHooks(project);
  return {
    stdout: json
      ? `${terminalSafeJson({ ...summaries, offReason: summaries.offReason ?? null })}\n`
      : wrapLines(`${renderHooks(summaries, host.command)}\n`, host.columns()),
    stderr: [
      ...settingsWarnings(host, project.settings.warnings),
      ...(json ? [] : [`memory notes in other agents are set up with: ${host.command("hook")}`]),
    ],
    exitCode: EXIT.done,
  };
}
