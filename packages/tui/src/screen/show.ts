import type { AgentEvent, Message } from "@caliban/agent-core";
import { typedPart } from "@caliban/common";
import type { NoticeItem, ScreenItem } from "../transcript/items.ts";
import { itemsOfMessages, sentItems } from "../transcript/stored-items.ts";
import { notice, reduceEvent, withItem } from "../transcript/transcript.ts";
import type { RunningWork } from "./screen-state.ts";
import type { Screen } from "./screen.ts";

const MAX_HISTORY = 50;

/** Replaces the transcript by stored messages, and offers the user's own in the history of the prompt. */
export function showMessages(screen: Screen, messages: readonly Message[]): void {
  screen.replaceTranscript(itemsOfMessages(messages, screen.memory));
  for (const message of messages.slice(-MAX_HISTORY)) {
    if (message.role === "user") screen.editor.addToHistory(typedPart(message.text));
  }
}

/** Shows one more event of the agent. */
export function showEvent(screen: Screen, event: AgentEvent): void {
  const { transcript, work } = screen.state();
  screen.update({
    transcript: reduceEvent(transcript, event, screen.memory),
    work: work === undefined ? undefined : reduceWork(work, event),
  });
}

/** Appends one item to the transcript. */
export function showItem(screen: Screen, item: ScreenItem): void {
  screen.update({ transcript: withItem(screen.state().transcript, item) });
}

/** Appends a message of the user. */
export function showSent(screen: Screen, text: string): void {
  for (const item of sentItems(text)) showItem(screen, item);
}

/** Appends a line from the program itself. */
export function showNotice(screen: Screen, tone: NoticeItem["tone"], text: string): void {
  showItem(screen, notice(tone, text));
}

/** Counts what the provider reports, and until then what arrives. */
function reduceWork(work: RunningWork, event: AgentEvent): RunningWork {
  if (event.type === "text-delta" || event.type === "reasoning-delta") {
    return { ...work, streamedCharacters: work.streamedCharacters + event.text.length };
  }
  const isSubagents = event.type === "subagent";
  const used = isSubagents ? event.event : event;
  if (used.type !== "usage") return work;
  return {
    ...work,
    inputTokens: work.inputTokens + used.usage.inputTokens,
    outputTokens: work.outputTokens + used.usage.outputTokens,
    streamedCharacters: isSubagents ? work.streamedCharacters : 0,
  };
}
