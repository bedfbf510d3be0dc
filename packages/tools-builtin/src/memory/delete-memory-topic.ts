import { terminalSafeLine } from "@caliban/common";
import { conflictText } from "./topic-refusals.ts";
import type { MemoryToolRow } from "./memory-tool.ts";
import { unknownTopic } from "./unknown-topic.ts";

/** Takes a topic out. The person can undo it. */
export const DELETE_MEMORY_TOPIC: MemoryToolRow<"DeleteMemoryTopic"> = {
  name: "DeleteMemoryTopic",
  description:
    "Deletes a topic of your memory that you have read, and its line in the index. It can be undone.",
  permission: "memory.delete",
  isReadOnly: false,
  act: async ({ name, if_match: ifMatch }, { session, after, notify }, { store }) => {
    const result = await store.remove({ name, ifMatch, author: { who: "agent", session, after } });
    if (result.kind === "conflict") return conflictText(result, "DeleteMemoryTopic");
    if (result.kind === "missing") return await unknownTopic(name, store);
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
