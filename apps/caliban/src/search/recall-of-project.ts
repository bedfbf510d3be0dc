import type { RecalledTopic } from "@caliban/memory";
import { openTopicStore, recallTopics, type RecallTopicsInput } from "@caliban/memory/node";
import type { ProjectSearchInput } from "./open-memory-search.ts";

export type ProjectRecallInput = Omit<RecallTopicsInput, "directory"> &
  Pick<ProjectSearchInput, "host" | "session">;

/** The topics of a project that a message speaks of. @throws MemoryError `NO_MEMORY_DIRECTORY` */
export async function recallOfProject(
  input: ProjectRecallInput,
): Promise<readonly RecalledTopic[]> {
  const { host, session, ...said } = input;
  const { env, platform, home } = host;
  const { workspace, settings } = session;
  const own = settings.values["memory.directory"];
  const { directory } = await openTopicStore({ env, platform, home, workspace, directory: own });
  return await recallTopics({ ...said, directory });
}
