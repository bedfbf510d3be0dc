import { emitTo } from "../turn/emit.ts";
import { type ConversationSetup, type ConversationState } from "../turn/state.ts";

/** Lets the tool that starts subagents reach the conversation. What opens them is loaded with the first one. */
export function linkSubagents(state: ConversationState, setup: ConversationSetup): void {
  setup.current.subagents = {
    open: async (request) => {
      const { openSubagent } = await import("./open-subagent.ts");
      return await openSubagent(state, setup, request);
    },
    emit: emitTo(state, setup),
  };
}
