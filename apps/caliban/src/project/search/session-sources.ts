import { learnedSource, sessionsSource } from "@caliban/autonomous-memory/node";
import { type SearchSource, searchTerms } from "@caliban/memory/search";
import type { LearnedLocation } from "../locations.ts";
import type { Project } from "../project.ts";
import type { ProjectSearchInput } from "./open-search.ts";

/** Searches learned memory. */
export function openLearnedSource(project: Project, location: LearnedLocation): SearchSource {
  return learnedSource(usedDirectory(project, location));
}

/** Searches past sessions. */
export function openSessionsSource(
  { project, exceptSession }: ProjectSearchInput,
  location: LearnedLocation,
): SearchSource {
  const { environment, workspace, settings } = project;
  return sessionsSource({
    sources: settings.values["memories.sources"],
    sessionsDirectory: location.sessionsDirectory,
    home: environment.home,
    env: environment.env,
    workspaceRoot: workspace.root,
    learnedDirectory: usedDirectory(project, location),
    exceptSession,
    searchTerms,
  });
}

/** Learned memory is only searched while it is in use. */
function usedDirectory({ settings }: Project, { directory }: LearnedLocation): string | undefined {
  return settings.values["memories.enabled"] ? directory : undefined;
}
