import { type OpenedMemorySearch, openMemorySearch } from "@caliban/memory/node";
import { learnedDirectory, sessionsDirectory } from "./locations.ts";
import type { Project } from "./project.ts";

export interface ProjectSearchInput {
  readonly project: Pick<Project, "environment" | "workspace" | "settings">;
  /** The running session, which is not searched. Called with every search. */
  readonly exceptSession?: (() => string | undefined) | undefined;
  /** Whether an index on disk is used and written; true by default. */
  readonly isStored?: boolean | undefined;
}

/** Searches topics, learned memory and past sessions. Reads nothing, and loads no search code, before the first use. */
export function openProjectSearch(input: ProjectSearchInput): OpenedMemorySearch {
  const { project, exceptSession, isStored } = input;
  const { environment, workspace, settings } = project;
  return openMemorySearch({
    ...environment,
    workspace,
    directory: settings.values["memory.directory"],
    isStored,
    sources: async (projectHome) => {
      const { learnedSource, sessionsSource } = await import("@caliban/autonomous-memory/node");
      const { searchTerms } = await import("@caliban/memory/search");
      // Learned memory is only searched while it is in use.
      const isUsed = settings.values["memories.enabled"];
      const learned = isUsed ? learnedDirectory(projectHome) : undefined;
      const sessions = sessionsSource({
        ...environment,
        sources: settings.values["memories.sources"],
        sessionsDirectory: sessionsDirectory(projectHome),
        workspaceRoot: workspace.root,
        learnedDirectory: learned,
        exceptSession,
        searchTerms,
      });
      return [learnedSource(learned), sessions];
    },
  });
}
