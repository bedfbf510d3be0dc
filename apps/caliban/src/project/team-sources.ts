import type { SearchSource } from "@caliban/memory/search";
import { hasTeams } from "./has-teams.ts";
import type { Project } from "./project.ts";

/** The topics of the team for a search; none, and no code is loaded for it, for users who joined no team. */
export async function teamSources(
  project: Pick<Project, "environment" | "workspace" | "settings" | "topics">,
  projectHome: string,
): Promise<readonly SearchSource[]> {
  if (!hasTeams(project)) return [];
  const { openTeamSources } = await import("./team/team-topics.ts");
  return openTeamSources(project, projectHome);
}
