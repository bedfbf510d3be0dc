import { addUsage, type AgentEvent, type TurnOutcome } from "@caliban/agent-core";
import type { NewRecord } from "@caliban/sessions";
import type { ConversationSetup, ConversationState } from "./state.ts";

/** Counts an event, stores it and shows it. */
export function emitTo(
  state: ConversationState,
  { view }: Pick<ConversationSetup, "view">,
): (event: AgentEvent) => void {
  return (event) => {
    if (event.type === "usage") {
      state.usage = addUsage(state.usage, event.usage);
      state.requests += 1;
    }
    const record = toRecord(event);
    if (record !== undefined) state.log.append(record);
    view.emit(event);
  };
}

/** What is stored of an event. Stored records call the message of a notice or an outcome `sentence`. */
function toRecord(event: AgentEvent): NewRecord | undefined {
  switch (event.type) {
    case "message":
      return { type: "message", message: event.message };
    case "compacted":
      return {
        type: "compacted",
        messages: event.messages,
        beforeTokens: event.beforeTokens,
        afterTokens: event.afterTokens,
      };
    case "notice":
      return { type: "notice", sentence: event.message };
    case "turn-end":
      return { type: "turn-end", ...toOutcomeRecord(event.outcome) };
    case "step-start":
    case "text-delta":
    case "reasoning-delta":
    case "tool-call":
    case "tool-result":
    case "usage":
    case "retry":
      return undefined;
  }
}

function toOutcomeRecord(outcome: TurnOutcome): {
  readonly outcome: TurnOutcome["kind"];
  readonly sentence?: string;
} {
  const { kind } = outcome;
  if (kind === "failed") return { outcome: kind, sentence: outcome.failure.message };
  if (kind === "refused") return { outcome: kind, sentence: outcome.message };
  return { outcome: kind };
}
