import { timeAgo } from "@caliban/common";
import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import type { Project } from "../../project/project.ts";
import { displayRemote } from "../../project/team/display-remote.ts";
import { findTeam, type FoundTeam } from "../../project/team/find-team.ts";
import { readSummary, type StoredTeam } from "../../project/team/team-files.ts";
import { formatCount } from "../format-count.ts";
import { type Check, note, ok } from "./check.ts";

/** Checks the memory of the project's team by what the last sync found. Nothing to check without one. */
export async function checkTeam({ host }: Invocation, project: Project): Promise<readonly Check[]> {
  const home = await project.home();
  const found = home && findTeam(project, home.home);
  return found === undefined ? [] : checkFound(found, host);
}

function checkFound(found: FoundTeam, host: Host): readonly Check[] {
  switch (found.kind) {
    case "declined":
      return [];
    case "connected":
      return [checkSynced(found.team, host)];
    case "likely": {
      const message = "another checkout of this repository has team memory, not used here yet";
      return [note("team", message, host.command("memory team status"))];
    }
    case "other-remote": {
      const { remote } = found.team;
      const message = `this checkout has another remote than before, so the memory of ${displayRemote(remote)} is not used`;
      return [note("team", message, host.command(`memory team init ${remote}`))];
    }
  }
}

function checkSynced({ directory, remote }: StoredTeam, host: Host): Check {
  const shown = displayRemote(remote);
  const { problem, waiting } = readSummary(directory);
  if (problem !== undefined) {
    const since = timeAgo(Date.parse(problem.since), host.now());
    const message = `the memory of ${shown} cannot be synced (${problem.message}), since ${since}`;
    return note("team", message, host.command("memory team sync"));
  }
  if (waiting === 0) return ok("team", `memory is shared through ${shown}`);
  const changes = `${formatCount(waiting, "change")} ${waiting === 1 ? "waits" : "wait"} for you`;
  return note(
    "team",
    `memory is shared through ${shown}; ${changes}`,
    host.command("memory inbox"),
  );
}
