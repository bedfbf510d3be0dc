import { terminalSafeLine } from "@caliban/common";
import type { ToolResult } from "@caliban/agent-core";
import { sanitize, type WriteTopicResult } from "@caliban/memory";
import { conflictResult } from "./topic-refusals.ts";
import type { MemoryToolDefinition } from "./memory-tool.ts";

/** A new topic, or a new text of one that the model has read. */
export const WRITE_MEMORY_TOPIC: MemoryToolDefinition<"WriteMemoryTopic"> = {
  name: "WriteMemoryTopic",
  description:
    "Saves a topic of your memory, and its line in the index. To change a topic, read it first and give its hash as if_match.",
  permission: "memory.write",
  isReadOnly: false,
  execute: async (input, { session, usedTools: after, notify }, { store }) => {
    const { if_match: ifMatch, ...topic } = input;
    const result = await store.write({
      ...topic,
      ifMatch,
      author: { who: "agent", session, after },
    });
    if (result.kind === "written") {
      const verb = result.isNew ? "saved" : "changed";
      notify(
        `memory: ${verb} ${terminalSafeLine(result.slug)} (${topic.type}: ${terminalSafeLine(topic.description)})`,
      );
    }
    return resultText(result);
  },
};

function resultText(result: WriteTopicResult): ToolResult {
  if (result.kind === "conflict") return conflictResult(result, "WriteMemoryTopic");
  if (result.kind === "missing") {
    const text = `There is no topic ${result.slug} any more, so nothing was changed. To make it anew, call WriteMemoryTopic without if_match.`;
    return { text, isError: true, data: { code: "MISSING" } };
  }
  const { slug, isNew, hash, indexLine, warning, change } = result;
  const lines = [
    `${isNew ? "Saved the new topic" : "Changed the topic"} ${slug}; its hash is ${hash}.`,
    // Somebody else may have given the line its title.
    `In the index: ${sanitize(terminalSafeLine(indexLine))}`,
    "Where a prompt begins with the index, it shows this from the next session on.",
    ...(warning === undefined ? [] : [warning]),
  ];
  return { text: lines.join("\n"), data: { slug, isNew, hash, indexLine, warning, change } };
}
