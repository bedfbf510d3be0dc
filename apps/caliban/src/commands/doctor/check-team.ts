import { timeAgo } from "@caliban/common";
import type { Invocation } from "../../command.ts";
import { hasTeams } from "../../project/has-teams.ts";
import type { Project } from "../../project/project.ts";
import { formatCount } from "../format-count.ts";
import { type Check, note, ok } from "./check.ts";

/** Checks the memory of the project's team by what the last sync found. Nothing to check without one. */
export async function checkTeam({ host }: Invocation, project: Project): Promise<readonly Check[]> {
  const home = await project.home();
  if (home === undefined || !hasTeams(project)) return [];
  const [{ findTeam }, { readSummary }, { displayRemote }] = await Promise.all([
    import("../../project/team/find-team.ts"),
    import("../../project/team/team-files.ts"),
    import("../../project/team/display-remote.ts"),
  ]);
  const found = findTeam(project, home.home);
  if (found?.kind === "likely")
    return [
      note(
        "team",
        "another checkout of this repository has team memory, which is not used here yet",
        host.command("memory team status"),
      ),
    ];
  if (found?.kind !== "connected" && found?.kind !== "other-remote") return [];
  const remote = displayRemote(found.team.remote);
  if (found.kind === "other-remote")
    return [
      note(
        "team",
        `this checkout has another remote than before, so the memory of ${remote} is not used`,
        host.command(`memory team init ${found.team.remote}`),
      ),
    ];
  const { problem, waiting } = readSummary(found.team.directory);
  if (problem !== undefined) {
    const since = timeAgo(Date.parse(problem.since), host.now());
    const message = `the memory of ${remote} cannot be synced (${problem.message}), first noticed ${since}`;
    return [note("team", message, host.command("memory team sync"))];
  }
  if (waiting === 0) return [ok("team", `memory is shared through ${remote}`)];
  const changes = `${formatCount(waiting, "change")} ${waiting === 1 ? "waits" : "wait"} for you`;
  return [
    note("team", `memory is shared through ${remote}; ${changes}`, host.command("memory inbox")),
  ];
}
