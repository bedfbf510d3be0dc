import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import {
  createIndexCache,
  createMemorySearch,
  type IndexCache,
  topicDirectorySource,
} from "@caliban/memory/node";
import type { MemorySearch, SearchSource } from "@caliban/memory/search";
import type { LearnedLocation } from "../locations.ts";
import type { Project } from "../project.ts";

export interface ProjectSearchInput {
  readonly project: Project;
  /** The running session, which is not searched. Called with every search. */
  readonly exceptSession?: (() => string | undefined) | undefined;
  /** Whether an index on disk is used and written; true by default. */
  readonly isStored?: boolean | undefined;
}

/** Searches everything that is remembered about a project. */
export interface ProjectSearch {
  readonly memory: MemorySearch;
  readonly cache: IndexCache;
}

/**
 * Finds everything that can be searched, and reads none of it before the first search. Without a known home directory,
 * only topics in a directory of their own are searched, and no index is stored.
 * @throws MemoryError `NO_MEMORY_DIRECTORY` when there is no directory for topics either
 */
export async function openProjectSearch(input: ProjectSearchInput): Promise<ProjectSearch> {
  const { project, isStored = true } = input;
  const topics = await project.topics();
  const learned = await project.learned();
  const sources = [
    topicDirectorySource(topics.directory),
    ...(learned === undefined ? [] : sessionSources(input, learned)),
  ];
  const file = isStored && learned !== undefined ? snapshotFile(project, learned) : undefined;
  const cache = createIndexCache({ file, sources });
  return { cache, memory: createMemorySearch({ index: cache, sources }) };
}

/** Always the same sources, because a stored index is only valid for the sources it was built from. */
function sessionSources(
  input: ProjectSearchInput,
  location: LearnedLocation,
): readonly SearchSource[] {
  return [
    lazySource("learned", async () =>
      (await import("./session-sources.ts")).openLearnedSource(input.project, location),
    ),
    lazySource("sessions", async () =>
      (await import("./session-sources.ts")).openSessionsSource(input, location),
    ),
  ];
}

/** Loads the code of a source when it is first used: recalling a topic needs none of it. */
function lazySource(name: string, load: () => Promise<SearchSource>): SearchSource {
  let loading: Promise<SearchSource> | undefined;
  const source = (): Promise<SearchSource> => (loading ??= load());
  return {
    name,
    list: async () => await (await source()).list(),
    read: async (entry, before) => await (await source()).read(entry, before),
    show: async (id) => await (await source()).show(id),
  };
}

function snapshotFile({ environment }: Project, { project }: LearnedLocation): string {
  return join(userDirectories(environment).state ?? "", "search", `${project}.idx`);
}
