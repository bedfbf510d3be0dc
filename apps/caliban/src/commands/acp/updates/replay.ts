import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AssistantMessage, Message, ToolCallResult, UserMessage } from "@caliban/agent-core";
import { parseCommandText, parseUserCommand } from "@caliban/common";
import type { createShownMemory } from "../../../conversation/notes/note-reader.ts";
import { type CallWorkspace, describeCall } from "./describe-call.ts";
import { fenced, textContent } from "./fence.ts";
import { planEntries } from "./plan-entries.ts";

export interface ReplayInput {
  readonly workspace: CallWorkspace;
  readonly memory: ReturnType<typeof createShownMemory>;
}

/** The updates that show a stored conversation, in order. */
export function replayMessages(
  messages: readonly Message[],
  input: ReplayInput,
): readonly SessionUpdate[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === "tool" ? message.results.map((result) => [result.id, result] as const) : [],
    ),
  );
  const updates = messages.flatMap((message, index): readonly SessionUpdate[] => {
    if (message.role === "user") return userUpdates(message, index, input);
    return message.role === "assistant" ? answerUpdates(message, index, { ...input, results }) : [];
  });
  const last = messages.at(-1);
  const isAnswered = last === undefined || last.role === "assistant";
  return isAnswered
    ? updates
    : [...updates, chunk("agent_message_chunk", UNANSWERED, "unanswered")];
}

const UNANSWERED =
  '> The last turn ended before the agent answered. Send "continue" to resume it, or something else.\n';

function userUpdates(
  { text, note = "" }: UserMessage,
  index: number,
  { memory }: ReplayInput,
): readonly SessionUpdate[] {
  // It tells how to recognize memory in the results.
  memory.inNote(note);
  const ran = parseUserCommand(text);
  const typed = parseCommandText(text)?.typed ?? text;
  const shown = ran === undefined ? typed : `!${ran.command}\n${fenced(ran.output)}`;
  // A note of the program alone has no text.
  return shown === "" ? [] : [chunk("user_message_chunk", shown, `stored-${index}`)];
}

function answerUpdates(
  { parts }: AssistantMessage,
  index: number,
  input: ReplayInput & { readonly results: ReadonlyMap<string, ToolCallResult> },
): readonly SessionUpdate[] {
  return parts.flatMap((part): readonly SessionUpdate[] => {
    if (part.type === "tool-call") return callUpdates(part, input);
    if (part.text.trim() === "") return [];
    const kind = part.type === "text" ? "agent_message_chunk" : "agent_thought_chunk";
    return [chunk(kind, part.text, `stored-${index}-${part.type}`)];
  });
}

function callUpdates(
  { id, name, input }: { readonly id: string; readonly name: string; readonly input: unknown },
  {
    workspace,
    memory,
    results,
  }: ReplayInput & { readonly results: ReadonlyMap<string, ToolCallResult> },
): readonly SessionUpdate[] {
  const result = results.get(id);
  const isError = result?.isError ?? true;
  if (name === "TodoWrite") {
    const entries = isError ? undefined : planEntries(input);
    return entries === undefined ? [] : [{ sessionUpdate: "plan", entries }];
  }
  const described = describeCall({ name, input }, workspace, { isPlanned: false });
  const text = result === undefined ? "interrupted" : memory.inResult(result.text).text;
  const isDiff = !isError && described.content.some(({ type }) => type === "diff");
  return [
    {
      sessionUpdate: "tool_call",
      toolCallId: id,
      name,
      ...described,
      ...(isDiff ? {} : { content: [textContent(fenced(text))] }),
      status: isError ? "failed" : "completed",
    },
  ];
}

function chunk(
  sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  text: string,
  messageId: string,
): SessionUpdate {
  return { sessionUpdate, messageId, content: { type: "text", text } };
}
