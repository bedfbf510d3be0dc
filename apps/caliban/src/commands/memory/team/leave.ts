import { rm } from "node:fs/promises";
import { terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { displayRemote } from "../../../project/team/display-remote.ts";
import { linkPath } from "../../../project/team/team-files.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { output } from "../output.ts";
import { isConfirmed, openTeamCommand, reportTeamErrors } from "./team-command.ts";

/** `caliban memory team leave`: deletes the local copy. The remote keeps everything. */
export async function leaveTeam(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors(invocation, async () => {
    const { host, options } = invocation;
    const { project, team, warnings } = await openTeamCommand(invocation);
    const remote = displayRemote(team.stored.remote);
    const shown = terminalSafeLine(remote);
    const status = await team.engine.status();
    const pending = status?.pending.length ?? 0;
    if (pending > 0 && options["force"] !== true)
      throw new UsageError(
        `${formatCount(pending, "change")} of yours ${pending === 1 ? "was" : "were"} not sent. Send with: ${host.command("memory team sync")}, or drop with: ${host.command("memory team leave --force")}`,
      );
    const about = `Leaving deletes the copy of ${shown} on this machine, for every checkout of this project. The remote keeps what was shared, also by you. Topics that you want to keep here can be unshared first, which removes them for everyone.\n`;
    if (!(await isConfirmed(invocation, { about, question: "Leave?" })))
      return output(invocation, {
        data: { kind: "declined", remote },
        text: "Nothing was changed.\n",
        stderr: warnings,
        exitCode: EXIT.failed,
      });
    if (status !== undefined) await team.engine.leave({ force: true });
    const home = await project.home();
    if (home !== undefined) await rm(linkPath(home.home), { force: true });
    await rm(team.stored.directory, { recursive: true, force: true });
    return output(invocation, {
      data: { kind: "left", remote },
      text: `left ${shown}. Join again with: ${host.command(`memory team init ${terminalSafeLine(team.stored.remote)}`)}\n`,
      stderr: warnings,
    });
  });
}
