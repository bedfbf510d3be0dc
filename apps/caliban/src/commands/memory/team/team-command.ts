import { isErrorNamed, timeAgo } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { autoMemoryOffReason, settingsThatTurnOff } from "../../../project/auto-memory-off.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { type OpenedTeam, requireProjectTeam } from "../../../project/team/open-team.ts";
import { UsageError } from "../../../usage-error.ts";
import { settingsWarnings } from "../../warnings.ts";
import { output } from "../output.ts";

/** What a command about team memory works with. */
export interface TeamCommand {
  readonly project: Project;
  readonly team: OpenedTeam;
  readonly warnings: readonly string[];
}

/** @throws UsageError without team memory */
export async function openTeamCommand(invocation: Invocation): Promise<TeamCommand> {
  const { project, warnings } = await openTeamProject(invocation);
  return { project, team: await requireProjectTeam(project), warnings };
}

export async function openTeamProject(
  invocation: Invocation,
): Promise<Pick<TeamCommand, "project" | "warnings">> {
  const project = await openProject(invocation);
  return { project, warnings: settingsWarnings(invocation.host, project.settings.warnings) };
}

/** @throws UsageError that names what turned it off */
export function requireTeamMemory(project: Project): void {
  const reason =
    autoMemoryOffReason(project) ?? settingsThatTurnOff(project.settings, "memory.team.enabled");
  if (reason === undefined) return;
  throw new UsageError(`team memory is turned off by ${reason}; turn it on first`);
}

/**
 * Shows what a question is about, and asks it. `--yes` answers it.
 * @throws UsageError when no one can answer
 */
export async function isConfirmed(
  { host, options }: Invocation,
  { about, question }: { readonly about: string; readonly question: string },
): Promise<boolean> {
  const isYes = options["yes"] === true;
  host.stderr(about);
  if (!isYes && !host.isInteractive())
    throw new UsageError(`cannot ask "${question}" without a terminal; pass --yes to agree`);
  return isYes || (await host.confirm(question));
}

/** Runs a command, and turns what the team memory refuses into a message. */
export async function reportTeamErrors(
  invocation: Invocation,
  run: () => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await run();
  } catch (error) {
    if (!isErrorNamed(error, "TeamError") || !(error instanceof Error)) throw error;
    const { message } = error;
    return output(invocation, {
      data: { kind: "failed", code: error.code, message },
      text: "",
      stderr: [message],
      exitCode: error.code === "UNKNOWN_TOPIC" ? EXIT.nothingFound : EXIT.failed,
    });
  }
}

export function ago(at: string, nowMs: number): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? "at an unknown time" : timeAgo(time, nowMs);
}
