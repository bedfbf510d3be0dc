import type { AgentEvent } from "@caliban/agent-core";
import type { Conversation } from "../agent/conversation.ts";
import type { Screen } from "./screen.ts";
import { itemsOfMessages } from "./stored-items.ts";
import { reduceEvent } from "./transcript.ts";

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
  const running =
    event.type === "usage" && work !== undefined
      ? {
          ...work,
          inputTokens: work.inputTokens + event.usage.inputTokens,
          outputTokens: work.outputTokens + event.usage.outputTokens,
        }
      : work;
  screen.update({ transcript: reduceEvent(transcript, event), work: running });
}
