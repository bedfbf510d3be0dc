import { terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { displayRemote } from "../../../project/team/display-remote.ts";
import { openProjectTeam } from "../../../project/team/open-team.ts";
import { syncTeam } from "../../../project/team/sync-team.ts";
import { output } from "../output.ts";
import { isFailed, renderSync, syncJson } from "./render-sync.ts";
import {
  isConfirmed,
  openTeamCommand,
  openTeamProject,
  reportTeamErrors,
  requireTeamMemory,
  type TeamCommand,
} from "./team-command.ts";

/** `caliban memory team sync`: fetches, merges and pushes. */
export async function syncTeamMemory(invocation: Invocation): Promise<CommandResult> {
  if (invocation.options["background"] === true) return await syncQuietly(invocation);
  return await reportTeamErrors(invocation, async () => {
    const opened = await openTeamCommand(invocation);
    requireTeamMemory(opened.project);
    return await sync(invocation, opened);
  });
}

async function sync(
  invocation: Invocation,
  { project, team, warnings }: TeamCommand,
): Promise<CommandResult> {
  const { host, options } = invocation;
  const remote = displayRemote(team.stored.remote);
  const status = await team.engine.status();
  const declined = output(invocation, {
    data: { kind: "declined", remote },
    text: "Nothing was changed.\n",
    stderr: warnings,
    exitCode: EXIT.failed,
  });
  if (status?.syncedAt === undefined) {
    const about = `The remote ${terminalSafeLine(remote)} has not been contacted yet.\n`;
    if (!(await isConfirmed(invocation, { about, question: "Contact it now?" }))) return declined;
    if (status === undefined) await team.engine.init(team.stored.remote);
  }
  const input = { interactive: host.isInteractive() };
  let synced = await syncTeam(project, team, input);
  if (synced.result.kind === "rewritten" && options["acceptRewrite"] === true) {
    const { before, after } = synced.result;
    const about = `The history that you have ends with ${before.slice(0, 12)}, the remote's with ${after?.slice(0, 12) ?? "nothing"}.\nWhat is different there is used if an approved key signed it, and waits in your inbox otherwise. What you have not sent yet stays.\n`;
    if (!(await isConfirmed(invocation, { about, question: "Continue with the remote's?" })))
      return declined;
    await team.engine.acceptRewrite(after);
    synced = await syncTeam(project, team, input);
  }
  return output(invocation, {
    data: syncJson(synced),
    text: renderSync(synced, host),
    stderr: warnings,
    exitCode: isFailed(synced) ? EXIT.failed : EXIT.done,
  });
}

/** Run by caliban itself, where no one reads messages: problems are reported when the next session starts. */
async function syncQuietly(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors({ ...invocation, json: false }, async () => {
    const { project } = await openTeamProject(invocation);
    requireTeamMemory(project);
    const team = await openProjectTeam(project);
    const isKnown = (await team?.engine.status())?.syncedAt !== undefined;
    if (team !== undefined && isKnown) await syncTeam(project, team);
    return { stdout: "", exitCode: EXIT.done };
  });
}
