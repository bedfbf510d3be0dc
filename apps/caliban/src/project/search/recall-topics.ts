import type { RecalledTopic } from "@caliban/memory";
import { recallTopics, type RecallTopicsInput } from "@caliban/memory/node";
import type { ProjectSearchInput } from "./open-search.ts";

export type ProjectRecallInput = Omit<RecallTopicsInput, "directory"> &
  Pick<ProjectSearchInput, "project">;

/** The topics of a project that a message speaks of. @throws MemoryError `NO_MEMORY_DIRECTORY` */
export async function recallProjectTopics(
  input: ProjectRecallInput,
): Promise<readonly RecalledTopic[]> {
  const { project, ...said } = input;
  const { directory } = await project.topics();
  return await recallTopics({ ...said, directory });
}
