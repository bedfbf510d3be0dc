import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import {
  createMemoryFinder,
  createSearchCache,
  openTopicStore,
  type SearchCache,
  topicsSource,
} from "@caliban/memory/node";
import type { MemorySearch, SearchSource } from "@caliban/memory/search";
import type { Session } from "../compose.ts";
import type { Host } from "../host.ts";
import { findPipelinePlace, type PipelinePlace } from "../pipeline/pipeline-place.ts";
import { lazySource } from "./lazy-source.ts";

export interface ProjectSearchInput {
  readonly host: Pick<Host, "env" | "platform" | "home">;
  readonly session: Session;
  /** The session that is running, of which everything is known anyway; asked with every search. */
  readonly exceptSession?: (() => string | undefined) | undefined;
  /** Whether an index on the disk is used and written; it is when left out. */
  readonly isKept?: boolean | undefined;
}

/** Everything that is remembered of a project, to be searched. */
export interface ProjectSearch {
  readonly memory: MemorySearch;
  readonly cache: SearchCache;
}

/**
 * Finds where everything is; nothing of it is read before the first search. Where no home directory is known and the
 * notes have a directory of their own, these alone are searched, and nothing is kept for the next time.
 * @throws MemoryError `NO_MEMORY_DIRECTORY` where the notes have none either
 */
export async function openProjectSearch(input: ProjectSearchInput): Promise<ProjectSearch> {
  const { host, session, isKept = true } = input;
  const { env, platform, home } = host;
  const { workspace, settings } = session;
  const directory = settings.values["memory.directory"];
  const topics = await openTopicStore({ env, platform, home, workspace, directory });
  const place = await findPipelinePlace({ env, platform, home, workspace });
  const sources = [
    topicsSource(topics.directory),
    ...(place === undefined ? [] : sourcesOfProject(input, place)),
  ];
  const file = isKept && place !== undefined ? snapshotFile(host, place) : undefined;
  const cache = createSearchCache({ file, sources });
  return { cache, memory: createMemoryFinder({ cache, sources }) };
}

/** Always the same ones, because a kept index is of the sources it was made of. */
function sourcesOfProject(
  { host, session, exceptSession }: ProjectSearchInput,
  { directory, sessionsDirectory }: PipelinePlace,
): readonly SearchSource[] {
  const { env, home } = host;
  const { workspace, settings } = session;
  const { values } = settings;
  // What was learned is found where it is used, and nowhere else.
  const learned = values["memories.enabled"] ? directory : undefined;
  return [
    lazySource("learned", async () => (await import("./learned-source.ts")).learnedSource(learned)),
    lazySource("sessions", async () => {
      const { sessionsSource } = await import("./sessions-source.ts");
      const { "memories.sources": sources } = values;
      const others = { sources, env, home, workspace };
      return sessionsSource({ directory: sessionsDirectory, ...others, learned, exceptSession });
    }),
  ];
}

function snapshotFile(host: ProjectSearchInput["host"], { project }: PipelinePlace): string {
  return join(userDirectories(host).state ?? "", "search", `${project}.idx`);
}
