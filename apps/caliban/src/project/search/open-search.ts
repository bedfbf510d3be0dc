import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import {
  createMemorySearch,
  createIndexCache,
  type IndexCache,
  topicDirectorySource,
} from "@caliban/memory/node";
import type { MemorySearch, SearchSource } from "@caliban/memory/search";
import type { Project } from "../project.ts";
import type { LearnedLocation } from "../locations.ts";

export interface ProjectSearchInput {
  readonly project: Project;
  /** The session that is running, of which everything is known anyway; asked with every search. */
  readonly exceptSession?: (() => string | undefined) | undefined;
  /** Whether an index on the disk is used and written; it is when left out. */
  readonly isKept?: boolean | undefined;
}

/** Everything that is remembered of a project, to be searched. */
export interface ProjectSearch {
  readonly memory: MemorySearch;
  readonly cache: IndexCache;
}

/**
 * Finds where everything is; nothing of it is read before the first search. Where no home directory is known and the
 * notes have a directory of their own, these alone are searched, and nothing is kept for the next time.
 * @throws MemoryError `NO_MEMORY_DIRECTORY` where the notes have none either
 */
export async function openProjectSearch(input: ProjectSearchInput): Promise<ProjectSearch> {
  const { project, isKept = true } = input;
  const topics = await project.topics();
  const place = await project.learned();
  const sources = [
    topicDirectorySource(topics.directory),
    ...(place === undefined ? [] : sourcesOfProject(input, place)),
  ];
  const file = isKept && place !== undefined ? snapshotFile(project, place) : undefined;
  const cache = createIndexCache({ file, sources });
  return { cache, memory: createMemorySearch({ index: cache, sources }) };
}

/** Always the same ones, because a kept index is of the sources it was made of. */
function sourcesOfProject(
  { project, exceptSession }: ProjectSearchInput,
  { directory, sessionsDirectory }: LearnedLocation,
): readonly SearchSource[] {
  const { environment, workspace, settings } = project;
  const { env, home } = environment;
  const { values } = settings;
  // What was learned is found where it is used, and nowhere else.
  const learned = values["memories.enabled"] ? directory : undefined;
  return [
    lazySource("learned", async () =>
      (await import("./sources/learned-source.ts")).learnedSource(learned),
    ),
    lazySource("sessions", async () => {
      const { sessionsSource } = await import("./sources/sessions-source.ts");
      const { "memories.sources": sources } = values;
      const others = { sources, env, home, workspace };
      return sessionsSource({ directory: sessionsDirectory, ...others, learned, exceptSession });
    }),
  ];
}

function snapshotFile({ environment }: Project, { project }: LearnedLocation): string {
  return join(userDirectories(environment).state ?? "", "search", `${project}.idx`);
}

/** A source whose code is loaded when it is first asked: to recall a topic takes none of it. */
export function lazySource(name: string, load: () => Promise<SearchSource>): SearchSource {
  let loading: Promise<SearchSource> | undefined;
  const source = (): Promise<SearchSource> => (loading ??= load());
  return {
    name,
    list: async () => await (await source()).list(),
    read: async (entry, before) => await (await source()).read(entry, before),
    show: async (id) => await (await source()).show(id),
  };
}
