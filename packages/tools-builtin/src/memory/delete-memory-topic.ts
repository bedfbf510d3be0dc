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
    const { store, countChange, names, authorOf, scope } = memory;
    const { session, notify } = context;
    await countChange({ session });
    const refusal = await memory.refuseChange?.({ kind: "delete", name }, context);
    if (refusal !== undefined) return refusal;
    const { reviewChange, proposeChange } = await import("./review/review-change.ts");
    const deletion = { action: "delete", topic: { name, ifMatch } } as const;
    const { origin, reason } = await reviewChange(deletion, { context, memory });
    if (reason !== undefined) {
      return await proposeChange({ ...deletion, scope, origin, reason }, { context, memory });
    }
    // What the user asked to forget, only the user can bring back.
    const asked = FORGET.test(context.userText ?? "") ? "user" : origin;
    const result = await store.remove({ name, ifMatch, author: authorOf(context, asked) });
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
      isTrusted: true,
    };
  },
};

const FORGET = /\b(?:forget|unlearn|delete|remove|erase|drop|vergiss|oublie|olvida)\b/iu;

function messageOf(hint: string | { readonly message: string }): string {
  return typeof hint === "string" ? hint : hint.message;
}
