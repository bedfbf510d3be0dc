import { dirname, join } from "node:path";
import { command, userDirectories, withCommands } from "@caliban/common";
import type { Inbox } from "@caliban/memory/node";
import type { MemoryToolsInput } from "@caliban/tools-builtin";
import { hasTeams } from "./has-teams.ts";
import type { Project } from "./project.ts";

type InboxScope = "project" | "user";

/** The inbox of a scope; `undefined` when no home directory is known. */
export async function openProjectInbox(
  project: Project,
  scope: InboxScope,
): Promise<Inbox | undefined> {
  const directory = await inboxDirectory(project, scope);
  if (directory === undefined) return undefined;
  const { openInbox } = await import("@caliban/memory/node");
  const inbox = openInbox(directory, { now: project.host.now });
  const usesTeam = project.settings.values["memory.team.enabled"] && hasTeams(project);
  if (scope === "user" || !usesTeam) return inbox;
  const { withTeamChanges } = await import("./team/team-inbox.ts");
  return withTeamChanges(inbox, project, dirname(directory));
}

/** How many proposals wait in both inboxes. Reads only the names of files. */
export async function countWaiting(project: Project): Promise<number> {
  const inboxes = await Promise.all([
    openProjectInbox(project, "project"),
    openProjectInbox(project, "user"),
  ]);
  return inboxes.reduce((sum, inbox) => sum + (inbox?.count() ?? 0), 0);
}

/** The inbox for the agent's tools; `undefined` when the settings want none. Opened by the first proposal. */
export function agentInbox(project: Project, scope: InboxScope): MemoryToolsInput["inbox"] {
  const write = project.settings.values["memory.write"];
  if (write !== "auto" && write !== "inbox") return undefined;
  const flag = scope === "user" ? " --user" : "";
  return {
    holds: write === "inbox" ? "all" : "untrusted",
    reviewHint: withCommands`${command(`memory inbox${flag}`)}`,
    propose: async (request) => {
      if (scope === "project") await (await project.home({ forWriting: true }))?.prepare();
      const inbox = await openProjectInbox(project, scope);
      if (inbox === undefined) throw new Error("the home directory is no longer available");
      return await inbox.propose(request);
    },
  };
}

async function inboxDirectory(project: Project, scope: InboxScope): Promise<string | undefined> {
  if (scope === "user") {
    const { data } = userDirectories(project.environment);
    return data && join(data, "user", "inbox");
  }
  const home = await project.home();
  return home && join(home.home, "inbox");
}
