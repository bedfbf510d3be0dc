import { lazyTopicStore } from "@caliban/memory";
import { type OpenedMemorySearch, openMemorySearch } from "@caliban/memory/node";
import type { Project } from "./project.ts";
import { isInDatabase } from "./topics.ts";

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
  return openMemorySearch({
    ...environment,
    workspace,
    directory: settings.values["memory.directory"],
    ...(isInDatabase(input.project)
      ? { store: lazyTopicStore(async () => (await topics()).store) }
      : {}),
    userTopics: settings.values["memory.user"],
    isStored: input.isStored,
    sources: async (projectHome) => {
      const { openSearchSources } = await import("./search-sources.ts");
      return openSearchSources(input, projectHome);
    },
  });
}
