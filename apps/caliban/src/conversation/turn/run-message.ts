import {
  type CallContext,
  COMPACTION_THRESHOLD,
  type Message,
  type ModelRequest,
  requestTokens,
  runTurn,
  type Shortened,
  shortenConversation,
  type TurnOutcome,
} from "@caliban/agent-core";
import { withCommands } from "@caliban/common";
import { UsageError } from "../../usage-error.ts";
import { prepareRecall, recallFor } from "./recall.ts";
import { type ConversationSetup, type ConversationState, emitTo, type OpenModel } from "./state.ts";

/** Sends the user's message and lets the agent work until it is done. */
export async function runMessage(
  state: ConversationState,
  setup: ConversationSetup,
  { text, signal }: { readonly text: string; readonly signal: AbortSignal },
): Promise<TurnOutcome> {
  const emit = emitTo(state, setup);
  const note = await noteFor(state, setup, text);
  const message: Message = { role: "user", text, ...(note === "" ? {} : { note }) };
  state.isOpening = false;
  state.messages = [...state.messages, message];
  emit({ type: "message", message });
  state.runner.onUserMessage();
  const shortenOnce = createShortener(state, setup, signal);
  const { messages, outcome } = await runTurn({
    ...turnInput(state, setup, signal),
    messages: state.messages,
    emit: onFirstAnswer(emit, () => {
      prepareRecall(state);
      setup.servers.startUnknown();
    }),
    beforeStep: async (current) =>
      isNearlyFull(state, current) ? await shortenOnce(current) : undefined,
    onOverflow: shortenOnce,
  });
  state.messages = messages;
  return outcome;
}

/** The note after the user's text: today's date at the start, and recalled topics. */
async function noteFor(
  state: ConversationState,
  { clock }: ConversationSetup,
  text: string,
): Promise<string> {
  const opening = state.isOpening ? [openingNote(clock.nowMs())] : [];
  const recalled = await recallFor(state, text);
  return [...opening, ...recalled].join("\n");
}

/** Part of the first message and not of the prompt, because it changes every day and would invalidate the cache. */
function openingNote(nowMs: number): string {
  const now = new Date(nowMs);
  return `[Today is ${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}.]`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
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
  const emit = emitTo(state, setup);
  const shortened = await shorten(state, setup, { messages: state.messages, signal, instructions });
  if (shortened.kind === "shortened") state.messages = shortened.messages;
  if (shortened.kind === "nothing-to-shorten") {
    emit({ type: "notice", message: formatNotShortened(shortened) });
  }
  const outcome = outcomeOf(shortened);
  emit({ type: "turn-end", outcome });
  return outcome;
}

function turnInput(
  state: ConversationState,
  setup: ConversationSetup,
  signal: AbortSignal,
): Omit<ModelRequest, "emit"> & CallContext & { readonly maxSteps: number } {
  const { agent, model, runner, log } = state;
  return {
    ...modelInput(model),
    system: agent.prompt.text,
    tools: agent.tools,
    runTool: async (call) => {
      await log.ready();
      return await runner.run(call);
    },
    maxSteps: setup.maxSteps,
    emit: emitTo(state, setup),
    signal,
    clock: setup.clock,
  };
}

function modelInput(
  open: OpenModel,
): Pick<ModelRequest, "model" | "modelName" | "markCache" | "secrets" | "explainFailure"> {
  const { model, chosen, markCache, secrets, explainFailure } = open;
  return { model, modelName: chosen.name, markCache, secrets, explainFailure };
}

function isNearlyFull({ agent, model }: ConversationState, messages: readonly Message[]): boolean {
  return requestTokens(agent, messages) > model.chosen.contextWindow * COMPACTION_THRESHOLD;
}

/** Gives up for the rest of the turn once it failed, because each attempt may cost a request. */
function createShortener(
  state: ConversationState,
  setup: ConversationSetup,
  signal: AbortSignal,
): (messages: readonly Message[]) => Promise<readonly Message[] | undefined> {
  let mayTry = true;
  return async (messages) => {
    if (!mayTry) return undefined;
    const shortened = await shorten(state, setup, { messages, signal });
    if (shortened.kind === "shortened") return shortened.messages;
    mayTry = false;
    emitTo(state, setup)({ type: "notice", message: formatNotShortened(shortened) });
    return undefined;
  };
}

async function shorten(
  state: ConversationState,
  setup: ConversationSetup,
  input: {
    readonly messages: readonly Message[];
    readonly signal: AbortSignal;
    readonly instructions?: string | undefined;
  },
): Promise<Shortened> {
  const { messages, signal, instructions } = input;
  const small = await openSmallModel(state, setup);
  const request = turnInput(state, setup, signal);
  const windowTokens = state.model.chosen.contextWindow;
  const model = small ?? state.model;
  const shortened = await shortenConversation({
    messages,
    instructions,
    request: { ...request, ...modelInput(model) },
    windowTokens,
    summaryWindowTokens: model.chosen.contextWindow,
    isPlain: model.model.provider === "offline",
  });
  if (shortened.kind === "shortened") {
    const { beforeTokens, afterTokens } = shortened;
    emitTo(
      state,
      setup,
    )({
      type: "compacted",
      messages: shortened.messages,
      beforeTokens,
      afterTokens,
    });
  }
  return shortened;
}

/** When the model for summaries is not available, the main model does its work, and the user gets a notice. */
async function openSmallModel(
  { agent }: ConversationState,
  { models, view }: ConversationSetup,
): Promise<OpenModel | undefined> {
  try {
    return await models.openSmall(agent.project);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    view.notify({ kind: "general", ...withCommands`models.smol is not available: ${error}` });
    return undefined;
  }
}

function formatNotShortened(shortened: Exclude<Shortened, { readonly kind: "shortened" }>): string {
  switch (shortened.kind) {
    case "nothing-to-shorten":
      return "Nothing to shorten: the last exchange is kept as it is.";
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
