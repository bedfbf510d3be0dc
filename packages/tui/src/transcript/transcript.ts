import type {
  AgentEvent,
  AssistantMessage,
  Message,
  TurnOutcome,
  UserMessage,
} from "@caliban/agent-core";
import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { recalledSlugs } from "@caliban/memory";
import { promptWords } from "../../../../apps/caliban/src/commands/chat/slash/prompt-words.ts";
import type { NoticeItem, ScreenItem, ToolItem } from "./items.ts";

/** What the conversation looks like so far. */
export interface Transcript {
  readonly items: readonly ScreenItem[];
  /** How many items there were when the model was last asked: a failed answer is taken back to here. */
  readonly stepStart: number;
}

export const EMPTY_TRANSCRIPT: Transcript = { items: [], stepStart: 0 };

/** The transcript after one more event. Items that did not change stay the same objects. */
export function reduceEvent(transcript: Transcript, event: AgentEvent): Transcript {
  switch (event.type) {
    case "step-start":
      return { ...transcript, stepStart: transcript.items.length };
    case "text-delta":
      return grown(transcript, "answer", event.text);
    case "reasoning-delta":
      return grown(transcript, "thought", event.text);
    case "tool-call":
      return appended(transcript, toolItem(event));
    case "tool-result":
      return withResult(transcript, event);
    case "message":
      return withMessage(transcript, event.message);
    case "usage":
      return transcript;
    case "retry":
      return retried(transcript, event);
    case "notice":
      return appended(transcript, notice("plain", event.sentence));
    case "compacted":
      return appended(transcript, notice("plain", compactedSentence(event)));
    case "turn-end":
      return ended(transcript, event.outcome);
  }
}

/** The transcript with one more item, whose texts are made harmless. */
export function withItem(transcript: Transcript, item: ScreenItem): Transcript {
  return appended(transcript, "text" in item ? { ...item, text: terminalSafe(item.text) } : item);
}

/** A line of the program's own, in one tone. */
export function notice(tone: NoticeItem["tone"], text: string): NoticeItem {
  return { kind: "notice", tone, text: terminalSafe(promptWords(text)) };
}

function appended({ items, stepStart }: Transcript, item: ScreenItem): Transcript {
  return { items: [...items, item], stepStart };
}

function grown(transcript: Transcript, kind: "answer" | "thought", delta: string): Transcript {
  const last = transcript.items.at(-1);
  // Safe piece by piece: every control character is replaced by itself, wherever the pieces are cut.
  const text = terminalSafe(delta);
  const isOpen = last?.kind === kind && transcript.items.length > transcript.stepStart;
  if (!isOpen) return text.trim() === "" ? transcript : appended(transcript, { kind, text });
  return replacedLast(transcript, { kind, text: last.text + text });
}

function replacedLast({ items, stepStart }: Transcript, item: ScreenItem): Transcript {
  return { items: [...items.slice(0, -1), item], stepStart };
}

function toolItem({ id, name, input }: Pick<ToolItem, "id" | "name" | "input">): ToolItem {
  return { kind: "tool", id, name: terminalSafeLine(name), input };
}

function withResult(
  { items, stepStart }: Transcript,
  event: AgentEvent & { readonly type: "tool-result" },
): Transcript {
  const { id, isError, data, durationMs } = event;
  const result = { text: terminalSafe(event.text), isError, data, durationMs };
  // Some providers number the calls of each answer anew, so the last one of the name counts.
  const index = items.findLastIndex((item) => item.kind === "tool" && item.id === id);
  const call = items[index];
  if (call?.kind !== "tool") return { items, stepStart };
  return { items: items.with(index, { ...call, result }), stepStart };
}

/** What an answer says, where it is our own program that speaks: commands as they are typed here. */
export function answerWords(text: string, model: string): string {
  return model.startsWith("offline/") ? promptWords(text) : text;
}

function inWordsOfPrompt({ items, stepStart }: Transcript, model: string): Transcript {
  const said = items.map((item, index) => {
    if (index < stepStart || item.kind !== "answer") return item;
    const text = answerWords(item.text, model);
    return text === item.text ? item : { ...item, text };
  });
  return { items: said, stepStart };
}

function withMessage(transcript: Transcript, message: Message): Transcript {
  switch (message.role) {
    case "user":
      return recallItems(message).reduce(appended, transcript);
    case "assistant":
      return unstreamed(transcript, message);
    case "tool":
      return transcript;
  }
}

/** What the program put beside the person's words of what is remembered: a list of one, or of none. */
export function recallItems({ note = "" }: UserMessage): readonly NoticeItem[] {
  const slugs = recalledSlugs(note);
  if (slugs.length === 0) return [];
  const text = `memory that may apply: ${slugs.join(", ")}`;
  return [{ ...notice("plain", text), isBeside: true }];
}

/** A message whose words did not come piece by piece. */
function unstreamed(transcript: Transcript, message: AssistantMessage): Transcript {
  const isShown = transcript.items
    .slice(transcript.stepStart)
    .some(({ kind }) => kind === "answer");
  const text = message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n\n");
  if (isShown) return inWordsOfPrompt(transcript, message.model);
  if (text.trim() === "") return transcript;
  const shown = terminalSafe(answerWords(text, message.model));
  return appended(transcript, { kind: "answer", text: shown });
}

function retried(
  { items, stepStart }: Transcript,
  { attempt, delayMs, failure }: AgentEvent & { readonly type: "retry" },
): Transcript {
  const pause = Math.max(1, Math.round(delayMs / 1000));
  const text = `${failure.message} Asking again in ${pause} s (attempt ${attempt + 1}).`;
  return { items: [...items.slice(0, stepStart), notice("plain", text)], stepStart };
}

function compactedSentence(event: AgentEvent & { readonly type: "compacted" }): string {
  const [before, after] = [event.beforeTokens, event.afterTokens].map((count) =>
    count.toLocaleString("en-US"),
  );
  return `The conversation was summarized: ${before} tokens before, ${after} now.`;
}

function ended(transcript: Transcript, outcome: TurnOutcome): Transcript {
  const items = transcript.items.map((item) =>
    item.kind === "tool" && item.result === undefined
      ? { ...item, result: { text: "interrupted", isError: true } }
      : item,
  );
  const last = items.findLast((item) => item.kind !== "notice" || item.isBeside !== true);
  const line = last?.kind === "person" ? unanswered(outcome) : outcomeNotice(outcome);
  const all = line === undefined ? items : [...items, line];
  return { items: all, stepStart: all.length };
}

function unanswered(outcome: TurnOutcome): NoticeItem | undefined {
  return outcome.kind === "done"
    ? notice("plain", "The model had nothing to say.")
    : outcomeNotice(outcome);
}

function outcomeNotice(outcome: TurnOutcome): NoticeItem | undefined {
  switch (outcome.kind) {
    case "done":
      return undefined;
    case "interrupted":
      return notice("plain", "Interrupted. Say what to do instead.");
    case "step-limit":
      return notice("bad", `Stopped after ${steps(outcome.maxSteps)}. Say "go on" to continue.`);
    case "refused":
      return notice("bad", outcome.sentence);
    case "failed":
      return notice("bad", outcome.failure.message);
  }
}

function steps(count: number): string {
  return `${count} ${count === 1 ? "step" : "steps"}`;
}
