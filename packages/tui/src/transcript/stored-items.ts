import type { AssistantMessage, Message, ToolCallResult } from "@caliban/agent-core";
import {
  parseCommandText,
  parseUserCommand,
  terminalSafe,
  terminalSafeLine,
  type UserCommand,
} from "@caliban/common";
import type { ScreenItem, ToolItem } from "./items.ts";
import {
  attachmentItems,
  NO_SHOWN_MEMORY,
  notice,
  recallItems,
  type ShownMemory,
  shownResult,
} from "./transcript.ts";

const MAX_MESSAGES = 50;

/** The items of a resumed conversation: its last messages, and a line that counts the rest. */
export function itemsOfMessages(
  messages: readonly Message[],
  memory: ShownMemory = NO_SHOWN_MEMORY,
): readonly ScreenItem[] {
  const shown = messages.slice(-MAX_MESSAGES);
  // The first message tells how to recognize memory in the results.
  for (const message of messages.slice(0, -shown.length)) {
    if (message.role === "user") memory.inNote(message.note ?? "");
  }
  const results = new Map(
    shown.flatMap((message) =>
      message.role === "tool" ? message.results.map((result) => [result.id, result] as const) : [],
    ),
  );
  const items = shown.flatMap((message): readonly ScreenItem[] => {
    if (message.role === "user") {
      const ran = parseUserCommand(message.text);
      if (ran !== undefined) return commandItems(ran);
      // A note of the program alone has no text.
      const sent = message.text === "" ? [] : sentItems(message.text);
      return [...sent, ...attachmentItems(message), ...recallItems(message, memory)];
    }
    return message.role === "assistant" ? answerItems(message, { results, memory }) : [];
  });
  const hiddenCount = messages.length - shown.length;
  // The reason is not stored with the messages, but it is clear that no answer came.
  const last = shown.at(-1);
  const isCommand = last?.role === "user" && parseUserCommand(last.text) !== undefined;
  const isUnanswered = last !== undefined && last.role !== "assistant" && !isCommand;
  return [
    ...(hiddenCount === 0 ? [] : [notice("plain", earlierMessages(hiddenCount))]),
    ...items,
    ...(isUnanswered ? [notice("plain", UNANSWERED)] : []),
  ];
}

/** A message of the user. Of a command with a text of its own, the line that was typed and where the text is from. */
export function sentItems(text: string): readonly ScreenItem[] {
  const command = parseCommandText(text);
  if (command === undefined) return [{ kind: "user", text: terminalSafe(text) }];
  const { typed, kind, source } = command;
  const from = terminalSafeLine(`${kind} from ${source}`);
  return [{ kind: "user", text: terminalSafe(typed) }, notice("plain", from)];
}

/** A command of the user, as it was shown when it ran. */
function commandItems({ command, output, isError }: UserCommand): readonly ScreenItem[] {
  const result = { text: terminalSafe(output), isError };
  return [
    { kind: "user", text: terminalSafe(`!${command}`) },
    { kind: "tool", id: "user-command", name: "Bash", input: { command }, result },
  ];
}

const UNANSWERED =
  'The last turn ended before the agent answered. Send "continue" to resume it, or something else.';

function earlierMessages(count: number): string {
  return `${count} earlier ${count === 1 ? "message is" : "messages are"} part of this conversation but not shown.`;
}

interface Results {
  readonly results: ReadonlyMap<string, ToolCallResult>;
  readonly memory: ShownMemory;
}

function answerItems({ parts }: AssistantMessage, results: Results): readonly ScreenItem[] {
  return parts.flatMap((part): readonly ScreenItem[] => {
    if (part.type === "tool-call") return [callItem(part, results)];
    if (part.text.trim() === "") return [];
    const kind = part.type === "text" ? "answer" : "thought";
    return [{ kind, text: terminalSafe(part.text) }];
  });
}

function callItem(
  { id, name, input }: Pick<ToolItem, "id" | "name" | "input">,
  { results, memory }: Results,
): ToolItem {
  const { text, isError, facts } = results.get(id) ?? {
    text: "interrupted",
    isError: true,
    facts: undefined,
  };
  const result = { ...shownResult(text, memory), isError, facts };
  return { kind: "tool", id, name: terminalSafeLine(name), input, result };
}
