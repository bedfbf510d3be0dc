import type { AgentEvent } from "@caliban/agent-core";
import type { Conversation } from "../../../../apps/caliban/src/agent/conversation.ts";
import type { RunningWork } from "./screen-state.ts";
import type { Screen } from "./screen.ts";
import { itemsOfMessages } from "../transcript/stored-items.ts";
import { reduceEvent } from "../transcript/transcript.ts";

/** Shows a conversation from its stored messages. */
export function showMessages(screen: Screen, conversation: Conversation): void {
  const messages = conversation.messages();
  const items = itemsOfMessages(messages);
  screen.update({ transcript: { items, stepStart: items.length }, expandedFrom: Infinity });
  for (const message of messages.slice(-50)) {
    if (message.role === "user") screen.editor.addToHistory(message.text);
  }
}

/** Shows one more event of the agent. */
export function showEvent(screen: Screen, event: AgentEvent): void {
  const { transcript, work } = screen.state();
  screen.update({
    transcript: reduceEvent(transcript, event),
    work: work === undefined ? undefined : reduceWork(work, event),
  });
}

/** Counts what the provider counts, and until it does, what is seen. */
function reduceWork(work: RunningWork, event: AgentEvent): RunningWork {
  if (event.type === "text-delta" || event.type === "reasoning-delta") {
    return { ...work, streamedCharacters: work.streamedCharacters + event.text.length };
  }
  if (event.type !== "usage") return work;
  return {
    ...work,
    inputTokens: work.inputTokens + event.usage.inputTokens,
    outputTokens: work.outputTokens + event.usage.outputTokens,
    streamedCharacters: 0,
  };
}
