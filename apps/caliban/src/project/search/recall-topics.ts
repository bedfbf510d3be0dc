import type { RecalledTopic } from "@caliban/memory";
import { recallTopics, type RecallTopicsInput } from "@caliban/memory/node";
import type { Project } from "../project.ts";

export interface ProjectRecallInput extends Omit<RecallTopicsInput, "directory"> {
  readonly project: Project;
}

/** Finds the topics that a message refers to. @throws MemoryError `NO_MEMORY_DIRECTORY` */
export async function recallProjectTopics({
  project,
  ...input
}: ProjectRecallInput): Promise<readonly RecalledTopic[]> {
  const { directory } = await project.topics();
  return await recallTopics({ ...input, directory });
}
