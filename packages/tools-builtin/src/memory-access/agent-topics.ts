import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import { lazyTopicStore, isMemoryError, type TopicStore } from "@caliban/memory";

/** A store that may keep its index in a file. */
export interface AgentStore extends TopicStore {
  /** Creates the index if there is none. */
  readonly bootstrap?: (() => Promise<void>) | undefined;
}

const WRITE = { tool: "WriteMemoryTopic", permission: "memory.write", isReadOnly: false };

/**
 * The topics for an agent's tools, opened by their first use. Creates the index then, if the agent may write without
 * asking. If that fails, the topics can still be read.
 */
export function agentTopics(open: () => Promise<AgentStore>, policy: PermissionPolicy): TopicStore {
  return lazyTopicStore(async () => {
    const store = await open();
    if (decidePermission(WRITE, policy).kind !== "allow") return store;
    try {
      await store.bootstrap?.();
    } catch (error) {
      if (!isMemoryError(error)) throw error;
    }
    return store;
  });
}
