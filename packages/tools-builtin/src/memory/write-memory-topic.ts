import type { ToolResult } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { sanitize, type WriteTopicResult } from "@caliban/memory";
import type { MemoryToolContext, MemoryToolDefinition } from "./memory-tool.ts";
import { conflictResult } from "./topic-refusals.ts";

export const WRITE_MEMORY_TOPIC: MemoryToolDefinition<"WriteMemoryTopic"> = {
  name: "WriteMemoryTopic",
  description:
    "Save a memory topic and its line in the index. To change an existing topic, read it first and pass its hash as if_match.",
  permission: "memory.write",
  isReadOnly: false,
  hasScope: true,
  execute: async (input, context, memory) => {
    const { store, countChange, names, authorOf, refuseChange } = memory;
    const { session, notify } = context;
    const { if_match: ifMatch, ...topic } = input;
    await countChange({ session, text: topic.body });
    const author = authorOf(context);
    const refusal = await refuseChange?.({ kind: "write", ...topic, ifMatch, author }, context);
    if (refusal !== undefined) return refusal;
    const result = await store.write({ ...topic, ifMatch, author });
    if (result.kind === "written") {
      const verb = result.isNew ? "saved" : "changed";
      const slug = terminalSafeLine(result.slug);
      const about = `${topic.type}: ${terminalSafeLine(topic.description)}`;
      notify({ kind: "memory", message: `${names.memory}: ${verb} ${slug} (${about})` });
    }
    return toResult(result, memory);
  },
};

function toResult(
  result: WriteTopicResult,
  { names, scope }: Pick<MemoryToolContext, "names" | "scope">,
): ToolResult {
  if (result.kind === "conflict") return conflictResult(result, "WriteMemoryTopic", { scope });
  const where = scope === "user" ? " in user memory" : "";
  if (result.kind === "missing") {
    const text = `The topic ${result.slug} no longer exists, so nothing was changed. To create it again, call ${names.tool("WriteMemoryTopic")} without if_match.`;
    return { text, isError: true, data: { code: "MISSING" } };
  }
  const { slug, isNew, hash, indexLine, warning, change } = result;
  const lines = [
    `${isNew ? "Saved the new topic" : "Changed the topic"} ${slug}${where}; its hash is ${hash}.`,
    // Someone else may have written the title of the line.
    `Index line: ${sanitize(terminalSafeLine(indexLine))}`,
    "A prompt that starts with the index shows this line from the next session on.",
    ...(warning === undefined ? [] : [warning]),
  ];
  return { text: lines.join("\n"), data: { slug, isNew, hash, indexLine, warning, change } };
}
