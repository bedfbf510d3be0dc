import { lazyTopicStore } from "@caliban/memory";
import { type OpenedMemorySearch, openMemorySearch } from "@caliban/memory/node";
import type { Forgotten } from "@caliban/memory/forgotten";
import { openProjectForgotten } from "./forgotten.ts";
import type { Project } from "./project.ts";
import { isInDatabase } from "./is-in-database.ts";
import { teamSources } from "./team-sources.ts";

export interface ProjectSearchInput {
  readonly project: Pick<Project, "environment" | "workspace" | "settings" | "topics">;
  /** The running session, which is not searched. Called with every search. */
  readonly exceptSession?: (() => string | undefined) | undefined;
  /** Whether an index on disk is used and written; true by default. */
  readonly isStored?: boolean | undefined;
}

/** Searches topics, learned memory and past sessions. Reads nothing, and loads no search code, before the first use. */
export function openProjectSearch(input: ProjectSearchInput): OpenedMemorySearch {
  const { environment, workspace, settings, topics } = input.project;
  let forgotten: Forgotten | undefined;
  return openMemorySearch({
    ...environment,
    workspace,
    directory: settings.values["memory.directory"],
    ...(isInDatabase(input.project)
      ? { store: lazyTopicStore(async () => (await topics()).store) }
      : {}),
    userTopics: settings.values["memory.user"],
    isStored: input.isStored,
    isForgotten: (statement) => forgotten?.isForgotten(statement) ?? false,
    sources: async (projectHome) => {
      const { openSearchSources } = await import("./search-sources.ts");
      forgotten = await openProjectForgotten(projectHome, { ...environment, workspace });
      const team = await teamSources(input.project, projectHome);
      return [...team, ...openSearchSources(input, { projectHome, forgotten })];
    },
  });
}
