import { COMPACTION_THRESHOLD, type Message, runTurn, type TurnInput, type TurnOutcome } from "@caliban/agent-core";
import { type ConversationParts, type ConversationState, emitTo, type OpenModel } from "../state.ts";
import { prepareRecall, recallFor } from "./recall.ts";
import { shortenConversation, type Shortened } from "../../../../../packages/agent-core/src/loop/shorten-conversation.ts";
import { usedTokens } from "./window-use.ts";

/** Takes up the person's words and lets the agent work until it is done with them. */
export async function runMessage(
  state: ConversationState,
  parts: ConversationParts,
  { text, signal }: { readonly text: string; readonly signal: AbortSignal },
): Promise<TurnOutcome> {
  const emit = emitTo(state, parts);
  const note = await noteFor(state, parts, text);
  const message: Message = { role: "user", text, ...(note === "" ? {} : { note }) };
  state.isOpening = false;
  state.messages = [...state.messages, message];
  emit({ type: "message", message });
  state.runner.onUserMessage();
  const shorter = createShortener(state, parts, signal);
  const { messages, outcome } = await runTurn({
    ...turnInput(state, parts, signal),
    messages: state.messages,
    emit: whenUnderWay(emit, () => {
      prepareRecall(state);
      parts.servers?.startUnknown();
    }),
    beforeStep: async (current) =>
      isNearlyFull(state, current) ? await shorter(current) : undefined,
    onOverflow: shorter,
  });
  state.messages = messages;
  return outcome;
}

/** What the model is told behind the person's words: at the beginning which day it is, and what is remembered of them. */
async function noteFor(
  state: ConversationState,
  parts: ConversationParts,
  text: string,
): Promise<string> {
  const opening = state.isOpening ? [parts.openingNote()] : [];
  const recalled = await recallFor(state, text);
  return [...opening, ...recalled].join("\n");
}

/** Does something once, as soon as the model has begun to answer. */
function whenUnderWay(emit: TurnInput["emit"], action: () => void): TurnInput["emit"] {
  let isDone = false;
  return (event) => {
    emit(event);
    if (isDone || BEFORE_AN_ANSWER.has(event.type)) return;
    isDone = true;
    action();
  };
}

const BEFORE_AN_ANSWER: ReadonlySet<string> = new Set(["step-start", "notice", "compacted"]);

/** Shortens the conversation because the person asks for it. */
export async function runCompaction(
  state: ConversationState,
  parts: ConversationParts,
  { wish, signal }: { readonly wish: string | undefined; readonly signal: AbortSignal },
): Promise<TurnOutcome> {
  const emit = emitTo(state, parts);
  const shortened = await shorten(state, parts, { messages: state.messages, signal, wish });
  if (shortened.kind === "shortened") state.messages = shortened.messages;
  if (shortened.kind === "nothing-to-shorten") {
    emit({ type: "notice", sentence: whyNotShorter(shortened) });
  }
  const outcome = outcomeOf(shortened);
  emit({ type: "turn-end", outcome });
  return outcome;
}

function turnInput(
  state: ConversationState,
  parts: ConversationParts,
  signal: AbortSignal,
): Omit<TurnInput, "messages"> {
  const { agent, model, runner, log } = state;
  return {
    ...modelOf(model),
    system: agent.prompt.text,
    tools: agent.tools,
    runTool: async (call) => {
      await log.ready();
      return await runner.run(call);
    },
    maxSteps: parts.maxSteps,
    emit: emitTo(state, parts),
    signal,
    clock: parts.clock,
  };
}

function modelOf(
  open: OpenModel,
): Pick<TurnInput, "model" | "modelName" | "markCache" | "secrets" | "explainFailure"> {
  const { model, chosen, markCache, secrets, explainFailure } = open;
  return { model, modelName: chosen.name, markCache, secrets, explainFailure };
}

function isNearlyFull({ agent, model }: ConversationState, messages: readonly Message[]): boolean {
  return usedTokens(agent, messages) > model.chosen.contextWindow * COMPACTION_THRESHOLD;
}

/** Tries no more in a turn in which it did not work: each try may cost a request. */
function createShortener(
  state: ConversationState,
  parts: ConversationParts,
  signal: AbortSignal,
): (messages: readonly Message[]) => Promise<readonly Message[] | undefined> {
  let mayTry = true;
  return async (messages) => {
    if (!mayTry) return undefined;
    const shortened = await shorten(state, parts, { messages, signal });
    if (shortened.kind === "shortened") return shortened.messages;
    mayTry = false;
    emitTo(state, parts)({ type: "notice", sentence: whyNotShorter(shortened) });
    return undefined;
  };
}

async function shorten(
  state: ConversationState,
  parts: ConversationParts,
  what: {
    readonly messages: readonly Message[];
    readonly signal: AbortSignal;
    readonly wish?: string | undefined;
  },
): Promise<Shortened> {
  const small = await parts.openSmallModel(state.agent.project);
  const request = turnInput(state, parts, what.signal);
  const windowTokens = state.model.chosen.contextWindow;
  const shortened = await shortenConversation({
    ...what,
    request: small === undefined ? request : { ...request, ...modelOf(small) },
    windowTokens,
    summaryTokens: small?.chosen.contextWindow ?? windowTokens,
  });
  if (shortened.kind === "shortened") {
    const { messages, beforeTokens, afterTokens } = shortened;
    emitTo(state, parts)({ type: "compacted", messages, beforeTokens, afterTokens });
  }
  return shortened;
}

function whyNotShorter(shortened: Exclude<Shortened, { readonly kind: "shortened" }>): string {
  switch (shortened.kind) {
    case "nothing-to-shorten":
      return "There is nothing to shorten: the last exchange stays as it is.";
    case "interrupted":
      return "The conversation was not shortened: interrupted.";
    case "failed":
      return `The conversation was not shortened: ${shortened.failure.message}`;
  }
}

function outcomeOf(shortened: Shortened): TurnOutcome {
  if (shortened.kind === "failed") return { kind: "failed", failure: shortened.failure };
  return { kind: shortened.kind === "interrupted" ? "interrupted" : "done" };
}

/**
 * What the model is told behind the first words of the person. It stands here and not in the prompt, because it changes
 * every day, and the provider's cache is to outlive that.
 */
export function openingNote(nowMs: number): string {
  const now = new Date(nowMs);
  return `[Today is ${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}.]`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
