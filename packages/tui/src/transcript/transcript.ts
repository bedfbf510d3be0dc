import {
  type AgentEvent,
  type AssistantMessage,
  describeAttachment,
  type Message,
  resultFacts,
  type TurnOutcome,
  type UserMessage,
} from "@caliban/agent-core";
import { terminalSafe, terminalSafeLine } from "@caliban/common";
import type { NoticeItem, ScreenItem, ToolItem } from "./items.ts";

/** The conversation as shown so far. */
export interface Transcript {
  readonly items: readonly ScreenItem[];
  /** The number of items when the model was last asked: a failed answer is rolled back to here. */
  readonly stepStart: number;
}

export const EMPTY_TRANSCRIPT: Transcript = { items: [], stepStart: 0 };

/** Finds memory that the program added to the conversation. */
export interface ShownMemory {
  /** Where the memory in the note of a user message comes from. Notes are passed in the order of the messages. */
  readonly inNote: (note: string) => readonly string[];
  /** Splits the memory at the end of a tool's result from the result itself. */
  readonly inResult: (text: string) => {
    readonly text: string;
    readonly sources: readonly string[];
  };
}

/** For conversations without memory. */
export const NO_SHOWN_MEMORY: ShownMemory = {
  inNote: () => [],
  inResult: (text) => ({ text, sources: [] }),
};

/** The transcript after one more event. Items that did not change stay the same objects. */
export function reduceEvent(
  transcript: Transcript,
  event: AgentEvent,
  memory: ShownMemory,
): Transcript {
  if (isToolEvent(event)) return reduceToolEvent(transcript, event, memory);
  const append = (text: string): Transcript => appended(transcript, notice("plain", text));
  switch (event.type) {
    case "step-start":
      return { ...transcript, stepStart: transcript.items.length };
    case "text-delta":
      return extended(transcript, "answer", event.text);
    case "reasoning-delta":
      return extended(transcript, "thought", event.text);
    case "message":
      return withMessage(transcript, event.message, memory);
    // What a subagent does is shown with the call that started it.
    case "subagent":
    case "usage":
      return transcript;
    case "retry":
      return withoutFailedAnswer(transcript, notice("plain", retryMessage(event)));
    case "notice":
      return append(event.message);
    case "compacted":
      return append(compactedMessage(event));
    case "turn-end":
      return ended(transcript, event.outcome);
  }
}

type ToolEvent = Extract<
  AgentEvent,
  { readonly type: "tool-call" | "tool-progress" | "tool-result" }
>;

function isToolEvent(event: AgentEvent): event is ToolEvent {
  return event.type.startsWith("tool-");
}

function reduceToolEvent(
  transcript: Transcript,
  event: ToolEvent,
  memory: ShownMemory,
): Transcript {
  switch (event.type) {
    case "tool-call":
      return appended(transcript, toolItem(event));
    case "tool-progress":
      return withProgress(transcript, event);
    case "tool-result":
      return withResult(transcript, event, memory);
  }
}

/** The transcript with one more item, whose text is made safe for a terminal. */
export function withItem(transcript: Transcript, item: ScreenItem): Transcript {
  if (item.kind === "output") return appended(transcript, { ...item, text: safeOutput(item.text) });
  return appended(transcript, "text" in item ? { ...item, text: terminalSafe(item.text) } : item);
}

// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const BOLD = /(\u001B\[(?:1|22)m)/;

/** Commands mark matches in bold, which can do no harm. Everything else is escaped. */
function safeOutput(text: string): string {
  const parts = text.split(BOLD);
  return parts.map((part, index) => (index % 2 === 1 ? part : terminalSafe(part))).join("");
}

/** A line from the program itself. */
export function notice(tone: NoticeItem["tone"], text: string): NoticeItem {
  return { kind: "notice", tone, text: terminalSafe(text) };
}

function appended({ items, stepStart }: Transcript, item: ScreenItem): Transcript {
  return { items: [...items, item], stepStart };
}

function extended(transcript: Transcript, kind: "answer" | "thought", delta: string): Transcript {
  const last = transcript.items.at(-1);
  // Safe chunk by chunk: every control character is escaped on its own, wherever the text is split.
  const text = terminalSafe(delta);
  const isOpen = last?.kind === kind && transcript.items.length > transcript.stepStart;
  if (!isOpen) return text.trim() === "" ? transcript : appended(transcript, { kind, text });
  return withLast(transcript, { kind, text: last.text + text });
}

function withLast({ items, stepStart }: Transcript, item: ScreenItem): Transcript {
  return { items: [...items.slice(0, -1), item], stepStart };
}

function toolItem({ id, name, input }: Pick<ToolItem, "id" | "name" | "input">): ToolItem {
  return { kind: "tool", id, name: terminalSafeLine(name), input };
}

function withResult(
  transcript: Transcript,
  event: AgentEvent & { readonly type: "tool-result" },
  memory: ShownMemory,
): Transcript {
  const { id, isError, data, durationMs } = event;
  const facts = resultFacts(data, durationMs);
  const result = { ...shownResult(event.text, memory), isError, facts };
  return withCall(transcript, id, (call) => ({ ...call, progress: undefined, result }));
}

function withProgress(
  transcript: Transcript,
  { id, text, lines }: AgentEvent & { readonly type: "tool-progress" },
): Transcript {
  const progress = { text: terminalSafe(text), lines };
  return withCall(transcript, id, (call) => ({ ...call, progress }));
}

function withCall(
  { items, stepStart }: Transcript,
  id: string,
  change: (call: ToolItem) => ToolItem,
): Transcript {
  // Some providers restart their ids with each answer, so the last call with this id is the one.
  const index = items.findLastIndex((item) => item.kind === "tool" && item.id === id);
  const call = items[index];
  if (call?.kind !== "tool") return { items, stepStart };
  return { items: items.with(index, change(call)), stepStart };
}

/** The text of a result, and where the memory after it comes from. */
export function shownResult(
  result: string,
  memory: ShownMemory,
): { readonly text: string; readonly memory?: readonly string[] } {
  const { text, sources } = memory.inResult(result);
  const shown = { text: terminalSafe(text) };
  return sources.length === 0 ? shown : { ...shown, memory: sources.map(terminalSafeLine) };
}

function withMessage(transcript: Transcript, message: Message, memory: ShownMemory): Transcript {
  switch (message.role) {
    case "user":
      return [...attachmentItems(message), ...recallItems(message, memory)].reduce(
        appended,
        transcript,
      );
    case "assistant":
      return withAnswer(transcript, message);
    case "tool":
      return transcript;
  }
}

/** One notice for each attachment. */
export function attachmentItems({ attachments = [] }: UserMessage): readonly NoticeItem[] {
  return attachments.map((attachment) => ({
    ...notice("plain", terminalSafeLine(describeAttachment(attachment))),
    isAttached: true,
  }));
}

/** The topics that the program added to the user's message, in at most one notice. */
export function recallItems(
  { note = "" }: UserMessage,
  memory: ShownMemory,
): readonly NoticeItem[] {
  const sources = memory.inNote(note);
  if (sources.length === 0) return [];
  return [{ ...notice("plain", `recalled from memory: ${sources.join(", ")}`), isAttached: true }];
}

/** Shows an answer that was not streamed. */
function withAnswer(transcript: Transcript, message: AssistantMessage): Transcript {
  const { items, stepStart } = transcript;
  if (items.slice(stepStart).some(({ kind }) => kind === "answer")) return transcript;
  const text = message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n\n");
  if (text.trim() === "") return transcript;
  return appended(transcript, { kind: "answer", text: terminalSafe(text) });
}

function withoutFailedAnswer({ items, stepStart }: Transcript, item: NoticeItem): Transcript {
  return { items: [...items.slice(0, stepStart), item], stepStart };
}

function retryMessage({
  attempt,
  delayMs,
  failure,
}: AgentEvent & { readonly type: "retry" }): string {
  const seconds = Math.max(1, Math.round(delayMs / 1000));
  return `${failure.message} Retrying in ${seconds} s (attempt ${attempt + 1}).`;
}

function compactedMessage(event: AgentEvent & { readonly type: "compacted" }): string {
  const [before, after] = [event.beforeTokens, event.afterTokens].map((count) =>
    count.toLocaleString("en-US"),
  );
  return `Conversation compacted from ${before} to ${after} tokens.`;
}

function ended(transcript: Transcript, outcome: TurnOutcome): Transcript {
  const items = transcript.items.map((item) =>
    item.kind === "tool" && item.result === undefined
      ? { ...item, result: { text: "interrupted", isError: true } }
      : item,
  );
  const last = items.findLast((item) => item.kind !== "notice" || item.isAttached !== true);
  const isUnanswered = last?.kind === "user" && outcome.kind === "done";
  const line = isUnanswered
    ? notice("plain", "The model returned an empty answer.")
    : outcomeNotice(outcome);
  const all = line === undefined ? items : [...items, line];
  return { items: all, stepStart: all.length };
}

function outcomeNotice(outcome: TurnOutcome): NoticeItem | undefined {
  switch (outcome.kind) {
    case "done":
      return undefined;
    case "interrupted":
      return notice("plain", "Interrupted. What should the agent do instead?");
    case "step-limit":
      return notice("bad", `Stopped after ${steps(outcome.maxSteps)}. Send "continue" to go on.`);
    case "budget":
    case "not-sent":
    case "refused":
      return notice("bad", outcome.message);
    case "failed":
      return notice("bad", outcome.failure.message);
  }
}

function steps(count: number): string {
  return `${count} ${count === 1 ? "step" : "steps"}`;
}
