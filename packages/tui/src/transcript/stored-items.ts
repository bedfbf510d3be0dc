import type { AssistantMessage, Message } from "@caliban/agent-core";
import { terminalSafe, terminalSafeLine } from "@caliban/common";
import type { ScreenItem, ToolItem } from "./items.ts";
import { answerWords, notice, recallItems } from "./transcript.ts";

const MOST_MESSAGES = 50;

/** What a resumed conversation shows of its past: the last messages, and a line that names the rest. */
export function itemsOfMessages(messages: readonly Message[]): readonly ScreenItem[] {
  const shown = messages.slice(-MOST_MESSAGES);
  const results = new Map(
    shown.flatMap((message) =>
      message.role === "tool" ? message.results.map((result) => [result.id, result] as const) : [],
    ),
  );
  const items = shown.flatMap((message): readonly ScreenItem[] => {
    if (message.role === "user") {
      return [{ kind: "person", text: terminalSafe(message.text) }, ...recallItems(message)];
    }
    return message.role === "assistant" ? answerItems(message, results) : [];
  });
  const left = messages.length - shown.length;
  // Why is not stored with the messages, but that nothing came is seen.
  const isOpen = shown.length > 0 && shown.at(-1)?.role !== "assistant";
  return [
    ...(left === 0 ? [] : [notice("plain", earlier(left))]),
    ...items,
    ...(isOpen ? [notice("plain", UNANSWERED)] : []),
  ];
}

const UNANSWERED = 'The turn ended before an answer. Say "go on", or something else.';

function earlier(count: number): string {
  return `${count} earlier ${count === 1 ? "message is" : "messages are"} part of the conversation and not shown.`;
}

type Results = ReadonlyMap<string, { readonly text: string; readonly isError: boolean }>;

function answerItems({ parts, model }: AssistantMessage, results: Results): readonly ScreenItem[] {
  return parts.flatMap((part): readonly ScreenItem[] => {
    if (part.type === "tool-call") return [callItem(part, results)];
    if (part.text.trim() === "") return [];
    if (part.type !== "text") return [{ kind: "thought", text: terminalSafe(part.text) }];
    return [{ kind: "answer", text: terminalSafe(answerWords(part.text, model)) }];
  });
}

function callItem(
  { id, name, input }: Pick<ToolItem, "id" | "name" | "input">,
  results: Results,
): ToolItem {
  const found = results.get(id) ?? { text: "interrupted", isError: true };
  const result = { text: terminalSafe(found.text), isError: found.isError };
  return { kind: "tool", id, name: terminalSafeLine(name), input, result };
}
