import { command, shellCommand, terminalSafeLine, withCommands } from "@caliban/common";
import type { MemoryToolDefinition } from "./memory-tool.ts";
import { conflictResult, unknownTopicResult } from "./topic-refusals.ts";

export const DELETE_MEMORY_TOPIC: MemoryToolDefinition<"DeleteMemoryTopic"> = {
  name: "DeleteMemoryTopic",
  description:
    "Delete a memory topic that you have read, together with its line in the index. The user can undo this.",
  permission: "memory.delete",
  isReadOnly: false,
  execute: async ({ name, if_match: ifMatch }, { session, usedTools, notify }, memory) => {
    const { store, countChange } = memory;
    await countChange({ session });
    const author = { who: "agent", session, after: usedTools } as const;
    const result = await store.remove({ name, ifMatch, author });
    if (result.kind === "conflict") return conflictResult(result, "DeleteMemoryTopic");
    if (result.kind === "missing") return await unknownTopicResult(name, store);
    const { topic, change } = result;
    const { slug } = topic;
    const undo = change === undefined ? undefined : `memory undo ${change}`;
    const hint = undo === undefined ? "" : withCommands` (${command(undo)})`;
    notify({ kind: "memory", ...withCommands`memory: deleted ${terminalSafeLine(slug)}${hint}` });
    return {
      text: `Deleted ${slug} (${topic.topic.description}).${undo === undefined ? "" : ` The user can undo this with: ${shellCommand(undo)}`}`,
      data: { slug, change },
    };
  },
};
