import { addUsage, type AgentEvent, type Usage } from "@caliban/agent-core";
import { addCost } from "@caliban/providers";
import { wasToldPlan } from "../plan/mode-note.ts";
import type { ConversationSetup, ConversationState } from "./state.ts";

/** Counts an event, stores it and shows it. */
export function emitTo(
  state: ConversationState,
  { view }: Pick<ConversationSetup, "view">,
): (event: AgentEvent) => void {
  return (event) => {
    const used = usedBy(event, state);
    if (used !== undefined) {
      state.usage = addUsage(state.usage, used.usage);
      state.cost = addCost(state.cost, used.modelName, used.usage);
      state.requests += 1;
    }
    if (AFTER_A_SUMMARY.has(event.type)) state.summarizer = undefined;
    // What the summary replaced may be shown once more.
    if (event.type === "compacted") {
      state.notes.onCompacted(event.messages);
      state.isToldPlan = wasToldPlan(event.messages);
    }
    state.log.record(event);
    view.emit(event);
  };
}

/** The tokens of a request, and the model that it went to. */
function usedBy(
  event: AgentEvent,
  { summarizer, model }: ConversationState,
): { readonly usage: Usage; readonly modelName: string } | undefined {
  if (event.type === "usage") {
    return { usage: event.usage, modelName: summarizer ?? model.modelName };
  }
  if (event.type !== "subagent" || event.event.type !== "usage") return undefined;
  return { usage: event.event.usage, modelName: event.model };
}

const AFTER_A_SUMMARY: ReadonlySet<string> = new Set(["usage", "compacted", "step-start"]);
