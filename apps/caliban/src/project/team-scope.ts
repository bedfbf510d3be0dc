import { autoMemoryOffReason } from "./auto-memory-off.ts";
import { hasTeams } from "./has-teams.ts";
import type { Project } from "./project.ts";
import type { TeamTopics } from "./team/team-topics.ts";

/**
 * The topics of the team for the agent's tools; `undefined` for users who joined none. Nothing is read, and no code for it
 * loaded, before the first use. Without a team in this project there are none.
 */
export function openTeamScope(project: Project): TeamTopics | undefined {
  const isOn =
    autoMemoryOffReason(project) === undefined && project.settings.values["memory.team.enabled"];
  if (!isOn || !hasTeams(project)) return undefined;
  const open = async (): Promise<TeamTopics | undefined> => {
    const { readTeamTopics } = await import("./team/team-topics.ts");
    return await readTeamTopics(project);
  };
  return {
    index: async () => (await (await open())?.index()) ?? "",
    list: async () => (await (await open())?.list()) ?? { topics: [], problems: [] },
    readMany: async (names) => (await (await open())?.readMany(names)) ?? new Map(),
    read: async (name) => await (await open())?.read(name),
  };
}
