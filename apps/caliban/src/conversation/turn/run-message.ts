import {
  type CallContext,
  compactConversation,
  type Message,
  runTurn,
  type TurnInput,
  type TurnModel,
  type TurnOutcome,
  type UserMessage,
} from "@caliban/agent-core";
import { withCommands } from "@caliban/common";
import type { SendOptions } from "../conversation.ts";
import { isUsageError } from "../../usage-error.ts";
import { modeNote } from "../plan/mode-note.ts";
import { checkBudgets, recordSpending } from "./budgets.ts";
import { liftForgotten } from "./lift-forgotten.ts";
import { openingNote } from "./opening-note.ts";
import { createRecallPreparation, recallFor } from "./recall.ts";
import { type ConversationSetup, type ConversationState, emitTo } from "./state.ts";

interface MessageInput extends SendOptions {
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Sends the user's message and lets the agent work until it is done. */
export async function runMessage(
  state: ConversationState,
  setup: ConversationSetup,
  { text, signal, takeMessages }: MessageInput,
): Promise<TurnOutcome> {
  const emit = emitTo(state, setup);
  const note = await noteFor(state, setup, text);
  const message: Message = { role: "user", text, ...(note === "" ? {} : { note }) };
  state.isOpening = false;
  state.messages = [...state.messages, message];
  emit({ type: "message", message });
  state.runner.onUserMessage(text);
  await liftForgotten(state, text);
  const { onAnswer, onToolCall } = createRecallPreparation(state);
  const { messages, outcome } = await runTurn({
    ...turnInput(state, setup, signal),
    emit: onFirstAnswer(emit, () => {
      onAnswer();
      setup.servers.startUnknown();
    }),
    onToolCall,
    takeMessages: async () => await messagesDuringTurn(state, setup, takeMessages?.() ?? []),
  });
  state.messages = messages;
  await recordSpending(state);
  const problem = await state.notes.storeUses();
  if (problem !== undefined) setup.view.notify({ kind: "general", message: problem });
  return outcome;
}

/** The messages that the user sent while the agent worked, as the model reads them. */
async function messagesDuringTurn(
  state: ConversationState,
  setup: ConversationSetup,
  texts: readonly string[],
): Promise<readonly UserMessage[]> {
  const messages: UserMessage[] = [];
  const changedMode = texts.length === 0 ? takeModeNote(state, setup) : undefined;
  // No one wrote this message; the model must know before it goes on.
  if (changedMode !== undefined) messages.push({ role: "user", text: "", note: changedMode });
  for (const text of texts) {
    const note = [DURING_TURN, await noteFor(state, setup, text)].filter((part) => part !== "");
    messages.push({ role: "user", text, note: note.join("\n") });
    state.runner.onMessageDuringTurn(text);
    await liftForgotten(state, text);
  }
  return messages;
}

const DURING_TURN =
  "[The user sent this while you were working. Take it into account, and continue.]";

/** The note after the user's text: at the start today's date and the nonce, a change of mode, and recalled topics. */
async function noteFor(
  state: ConversationState,
  setup: ConversationSetup,
  text: string,
): Promise<string> {
  const { clock } = setup;
  const opening = state.isOpening ? [openingNote(clock.nowMs(), state.agent.nonce)] : [];
  const changedMode = [takeModeNote(state, setup) ?? []].flat();
  const recalled = await recallFor(state, text);
  const pending = state.pendingNotes;
  state.pendingNotes = [];
  return [...opening, ...pending, ...changedMode, ...recalled].join("\n");
}

/** What the model must be told about the mode, once. */
function takeModeNote(
  state: ConversationState,
  { askPlan }: Pick<ConversationSetup, "askPlan">,
): string | undefined {
  const { mode, isToldPlan, agent } = state;
  const canApprove = askPlan !== undefined;
  const note = modeNote({ mode, isToldPlan, canApprove, tools: agent.tools });
  state.isToldPlan = mode === "plan";
  return note;
}

/** Runs an action once, as soon as the model has started to answer. */
function onFirstAnswer(emit: CallContext["emit"], action: () => void): CallContext["emit"] {
  let isDone = false;
  return (event) => {
    emit(event);
    if (isDone || BEFORE_AN_ANSWER.has(event.type)) return;
    isDone = true;
    action();
  };
}

const BEFORE_AN_ANSWER: ReadonlySet<string> = new Set(["step-start", "notice", "compacted"]);

/** Shortens the conversation at the user's request. */
export async function runCompaction(
  state: ConversationState,
  setup: ConversationSetup,
  {
    instructions,
    signal,
  }: { readonly instructions: string | undefined; readonly signal: AbortSignal },
): Promise<TurnOutcome> {
  const input = { ...turnInput(state, setup, signal), instructions };
  const { messages, outcome } = await compactConversation(input);
  state.messages = messages;
  await recordSpending(state);
  return outcome;
}

function turnInput(
  state: ConversationState,
  setup: ConversationSetup,
  signal: AbortSignal,
): TurnInput {
  const { agent, model, messages, runner, log } = state;
  return {
    ...model,
    messages,
    system: agent.prompt.text,
    tools: agent.tools,
    runTool: async (call) => {
      await log.ready();
      return await runner.run(call);
    },
    maxSteps: setup.maxSteps,
    beforeStep: async (current) => await checkBudgets(state, setup, current),
    emit: emitTo(state, setup),
    signal,
    clock: setup.clock,
    openSummarizer: () => openSmallModel(state, setup),
  };
}

/** When the model for summaries is not available, the main model does its work, and the user gets a notice. */
async function openSmallModel(
  state: ConversationState,
  { models, view }: ConversationSetup,
): Promise<TurnModel | undefined> {
  try {
    const model = await models.openSmall(state.agent.project);
    state.summarizer = model?.modelName;
    return model;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    view.notify({ kind: "general", ...withCommands`models.smol is not available: ${error}` });
    return undefined;
  }
}
