import { terminalSafeLine, withCommands } from "@caliban/common";
import type { MemoryToolDefinition } from "./memory-tool.ts";
import { conflictResult, unknownTopicResult } from "./topic-refusals.ts";

export const DELETE_MEMORY_TOPIC: MemoryToolDefinition<"DeleteMemoryTopic"> = {
  name: "DeleteMemoryTopic",
  description: ({ undoHint }) =>
    `Delete a memory topic that you have read, together with its line in the index.${undoHint === undefined ? "" : " The user can undo this."}`,
  permission: "memory.delete",
  isReadOnly: false,
  hasScope: true,
  execute: async ({ name, if_match: ifMatch }, context, memory) => {
    const { store, countChange, names, authorOf } = memory;
    const { session, notify } = context;
    await countChange({ session });
    const refusal = await memory.refuseChange?.({ kind: "delete", name }, context);
    if (refusal !== undefined) return refusal;
    // What the user asked to forget, only the user can bring back.
    const asked = FORGET.test(context.userText ?? "") ? ({ origin: "user" } as const) : {};
    const author = { ...authorOf(context), ...asked };
    const result = await store.remove({ name, ifMatch, author });
    if (result.kind === "conflict") return conflictResult(result, "DeleteMemoryTopic", memory);
    if (result.kind === "missing") return await unknownTopicResult(name, memory);
    const { topic, change } = result;
    const { slug } = topic;
    const hint = change === undefined ? undefined : memory.undoHint?.(change, memory.scope);
    const suffix = hint === undefined ? "" : withCommands` (${hint})`;
    const notice = withCommands`${names.memory}: deleted ${terminalSafeLine(slug)}${suffix}`;
    notify({ kind: "memory", ...notice });
    const undo = hint === undefined ? "" : ` The user can undo this with: ${messageOf(hint)}`;
    return {
      text: `Deleted ${slug} (${topic.topic.description}).${undo}`,
      data: { slug, change },
    };
  },
};

const FORGET = /\b(?:forget|unlearn|delete|remove|erase|drop|vergiss|oublie|olvida)\b/iu;

function messageOf(hint: string | { readonly message: string }): string {
  return typeof hint === "string" ? hint : hint.message;
}
