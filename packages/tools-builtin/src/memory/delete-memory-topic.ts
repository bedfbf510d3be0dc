import { terminalSafeLine } from "@caliban/common";
import { conflictResult, unknownTopicResult } from "./topic-refusals.ts";
import type { MemoryToolDefinition } from "./memory-tool.ts";

/** Takes a topic out. The person can undo it. */
export const DELETE_MEMORY_TOPIC: MemoryToolDefinition<"DeleteMemoryTopic"> = {
  name: "DeleteMemoryTopic",
  description:
    "Deletes a topic of your memory that you have read, and its line in the index. It can be undone.",
  permission: "memory.delete",
  isReadOnly: false,
  execute: async (
    { name, if_match: ifMatch },
    { session, usedTools: after, notify },
    { store },
  ) => {
    const result = await store.remove({ name, ifMatch, author: { who: "agent", session, after } });
    if (result.kind === "conflict") return conflictResult(result, "DeleteMemoryTopic");
    if (result.kind === "missing") return await unknownTopicResult(name, store);
    const { topic, change } = result;
    const undo =
      change === undefined ? "" : ` The person can undo it: caliban memory undo ${change}`;
    notify(
      `memory: deleted ${terminalSafeLine(topic.slug)}${change === undefined ? "" : ` (caliban memory undo ${change})`}`,
    );
    return {
      text: `Deleted ${topic.slug} (${topic.topic.description}).${undo}`,
      data: { slug: topic.slug, change },
    };
  },
};
