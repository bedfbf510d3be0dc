import { learnedSource, sessionsSource } from "@caliban/autonomous-memory/node";
import { type SearchSource, searchTerms } from "@caliban/memory/search";
import type { Forgotten } from "@caliban/memory/forgotten";
import { learnedDirectory, sessionsDirectory } from "./locations.ts";
import type { ProjectSearchInput } from "./search.ts";

/** What is searched in addition to topics. This file is loaded by the first search. */
export function openSearchSources(
  { project, exceptSession }: ProjectSearchInput,
  { projectHome, forgotten }: { readonly projectHome: string; readonly forgotten: Forgotten },
): readonly SearchSource[] {
  const { environment, workspace, settings } = project;
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
  return [learnedSource(learned, { forgotten }), sessions];
}
