import { listNames } from "@caliban/common/node";
import type { TopicStore } from "@caliban/memory";
import { createFsTopicStore, teamTopicsSource } from "@caliban/memory/node";
import type { SearchSource } from "@caliban/memory/search";
import type { Project } from "../project.ts";
import { findTeam } from "./find-team.ts";
import { topicsDirectory } from "./team-files.ts";

type Input = Pick<Project, "environment" | "workspace" | "settings">;

/** What may be done with topics of a team: they are changed by sharing only. */
export type TeamTopics = Pick<TopicStore, "index" | "list" | "read" | "readMany">;

/** The directory of the topics that the team of a project shares; `undefined` without a team, or if it is off. */
function teamTopicsDirectory(project: Input, projectHome: string): string | undefined {
  if (!project.settings.values["memory.team.enabled"]) return undefined;
  const found = findTeam(project, projectHome);
  return found?.kind === "connected" ? topicsDirectory(found.team.directory) : undefined;
}

/** Opens the topics that the team of a project shares. Runs nothing. */
export async function readTeamTopics(
  project: Input & Pick<Project, "home">,
): Promise<TeamTopics | undefined> {
  const home = await project.home();
  const directory = home && teamTopicsDirectory(project, home.home);
  return directory === undefined ? undefined : openTeamTopics(directory);
}

function openTeamTopics(directory: string): TeamTopics {
  const { index, list, read, readMany } = createFsTopicStore({ directory });
  return { index, list, read, readMany };
}

/** The topics of the team for a search; none if the project has no team. */
export function openTeamSources(
  project: Input & Pick<Project, "topics">,
  projectHome: string,
): readonly SearchSource[] {
  const directory = teamTopicsDirectory(project, projectHome);
  if (directory === undefined) return [];
  const ownNames = async (): Promise<readonly string[]> => {
    const { directory: own, store } = await project.topics();
    // The names are enough, and the text of every topic would be read otherwise.
    if (own !== undefined) return listNames(own).map((name) => name.replace(/\.md$/, ""));
    return (await store.list()).topics.map(({ slug }) => slug);
  };
  return [teamTopicsSource({ directory, ownNames })];
}
