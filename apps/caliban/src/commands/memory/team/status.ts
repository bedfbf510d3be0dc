import { spellCommands, terminalSafeLine } from "@caliban/common";
import type { TeamStatus } from "@caliban/memory-git";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { autoMemoryOffReason, settingsThatTurnOff } from "../../../project/auto-memory-off.ts";
import type { Project } from "../../../project/project.ts";
import { SET_UP } from "../../../project/team/connect-checkout.ts";
import { displayRemote } from "../../../project/team/display-remote.ts";
import { openProjectTeam } from "../../../project/team/open-team.ts";
import { readSummary, type TeamSummary } from "../../../project/team/team-files.ts";
import { formatCount } from "../../format-count.ts";
import { output } from "../output.ts";
import { changes } from "./render-sync.ts";
import { ago, openTeamProject, reportTeamErrors } from "./team-command.ts";

/** `caliban memory team status`: what is shared, used, waiting and refused. Contacts no one. */
export async function showTeam(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors(invocation, async () => {
    const { project, warnings } = await openTeamProject(invocation);
    const team = await openProjectTeam(project);
    if (team === undefined)
      return output(invocation, {
        data: { kind: "none" },
        text: "",
        stderr: [...warnings, spellCommands(SET_UP, invocation.host.command)],
        exitCode: EXIT.nothingFound,
      });
    const status = await team.engine.status();
    // Another checkout may have synced, and what was forgotten since must go.
    if (status !== undefined) await team.refresh();
    const summary = readSummary(team.stored.directory);
    const remote = displayRemote(team.stored.remote);
    const off = whyOff(project);
    return output(invocation, {
      data: {
        kind: "connected",
        ...status,
        remote,
        forgotten: summary.forgotten,
        problem: summary.problem,
        isUsed: off === undefined,
      },
      text: render(invocation, { project, remote, status, summary, off }),
      stderr: warnings,
    });
  });
}

function whyOff(project: Project): string | undefined {
  return (
    autoMemoryOffReason(project) ?? settingsThatTurnOff(project.settings, "memory.team.enabled")
  );
}

interface StatusView {
  readonly project: Project;
  readonly remote: string;
  readonly status: TeamStatus | undefined;
  readonly summary: TeamSummary;
  readonly off: string | undefined;
}

const MAX_LISTED = 10;

function render({ host }: Invocation, view: StatusView): string {
  const { project, remote, status, summary, off } = view;
  const { values } = project.settings;
  const { command } = host;
  const rows: readonly (readonly [string, string])[] = [
    ...(off === undefined ? [] : [["turned off", `by ${off}`] as const]),
    ...(status === undefined ? [] : statusRows(view, status, host)),
    [
      "last sync",
      status?.syncedAt === undefined
        ? `never; run: ${command("memory team sync")}`
        : ago(status.syncedAt, host.now()),
    ],
    ...(summary.problem === undefined
      ? []
      : [
          [
            "problem",
            `${summary.problem.message} (since ${summary.problem.since.slice(0, 10)})`,
          ] as const,
        ]),
    [
      "sharing",
      SHARING[values["memory.team.share"]] ?? `by type: ${values["memory.team.share"].slice(5)}`,
    ],
    [
      "background",
      values["memory.team.auto"]
        ? "on"
        : `off; turn it on with: ${command("settings set memory.team.auto true")}`,
    ],
  ];
  const lines = rows.map(([label, text]) => `  ${label.padEnd(11)}${terminalSafeLine(text)}\n`);
  return `team memory through ${terminalSafeLine(remote)}\n${lines.join("")}`;
}

const SHARING: Readonly<Record<string, string>> = {
  ask: "asks about each topic",
  off: "off",
};

function statusRows(
  { summary }: StatusView,
  status: TeamStatus,
  { command }: Invocation["host"],
): readonly (readonly [string, string])[] {
  const { sharedTopics, usedTopics, pending, waiting, conflicts, refused, approvedKeys } = status;
  const forgotten = summary.forgotten.length;
  const left = forgotten === 0 ? "" : `; ${forgotten} left out because you forgot what they say`;
  return [
    ["topics", `${usedTopics - forgotten} used, ${sharedTopics} on the remote${left}`],
    ...(pending.length === 0 ? [] : [["to send", changes(pending)] as const]),
    ...(waiting.length === 0
      ? []
      : [
          [
            "waiting",
            `${formatCount(waiting.length, "change")} by authors you have not approved. Review with: ${command("memory inbox")}`,
          ] as const,
        ]),
    ...(conflicts.length === 0
      ? []
      : [["conflicts", conflicts.map(({ slug }) => slug).join(", ")] as const]),
    ...refused
      .slice(0, MAX_LISTED)
      .map(({ path, message }) => ["not used", `${path}: ${message}`] as const),
    ...(refused.length > MAX_LISTED
      ? [["not used", `${refused.length - MAX_LISTED} more`] as const]
      : []),
    ...approvedKeys.map((key) => ["approved", key] as const),
  ];
}
