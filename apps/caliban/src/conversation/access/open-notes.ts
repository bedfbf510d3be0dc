import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import { MemoryError, type TopicStore } from "@caliban/memory";
import type { FsTopicStore } from "@caliban/memory/node";
import type { Project } from "../../project/project.ts";

/** The notes of a project for an agent; where it may write them without a question, there is an index from then on. */
export async function openNotes(
  { topics }: Pick<Project, "topics">,
  policy: PermissionPolicy,
): Promise<TopicStore> {
  const { store } = await topics({ forWriting: true });
  await bootstrapWhereAllowed(store, policy);
  return store;
}

const WRITING = { tool: "WriteMemoryTopic", permission: "memory.write", isReadOnly: false };

/** The first access that may write makes an index. Where that fails, there still is something to read. */
export async function bootstrapWhereAllowed(
  { bootstrap }: Pick<FsTopicStore, "bootstrap">,
  policy: PermissionPolicy,
): Promise<void> {
  if (decidePermission(WRITING, policy).kind !== "allow") return;
  try {
    await bootstrap();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
