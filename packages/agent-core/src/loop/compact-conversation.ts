import type { Message } from "../message.ts";
import { askModel, type ModelRequest } from "../model/ask-model.ts";
import type { ModelFailure } from "../model/model-failure.ts";
import {
  COMPACTION_THRESHOLD,
  planCompaction,
  renderSummaryRequest,
  replaceWithSummary,
  SUMMARY_SYSTEM_PROMPT,
} from "../prompt/compaction.ts";
import { conversationTokens } from "../prompt/message-tokens.ts";
import { plainSummary } from "../prompt/plain-summary.ts";
import { renderTranscript } from "../prompt/render-transcript.ts";
import { requestTokens } from "../prompt/request-tokens.ts";
import type { TurnOutcome } from "./agent-event.ts";
import type { CallContext } from "./run-calls.ts";
import { type TurnModel, withModelName } from "./turn-model.ts";

/** What compaction needs of a turn. */
export interface CompactionContext extends Omit<ModelRequest, "emit">, TurnModel {
  readonly model: ModelRequest["model"];
  readonly modelName: string;
  readonly emit: CallContext["emit"];
  readonly openSummarizer?: (() => Promise<TurnModel | undefined>) | undefined;
}

/** Returns a shorter conversation, or `undefined` if there is none. */
export type Shorten = (messages: readonly Message[]) => Promise<readonly Message[] | undefined>;

/** Creates what shortens the conversation of one turn. It gives up once it failed, because each attempt may cost a request. */
export function createShortener(turn: CompactionContext): Shorten {
  let mayTry = turn.contextWindow !== undefined;
  return async (messages) => {
    if (!mayTry) return undefined;
    const result = await shorten(turn, { messages });
    if (result.kind === "shortened") return result.messages;
    mayTry = false;
    turn.emit({ type: "notice", message: describeFailure(result) });
    return undefined;
  };
}

/** Whether the next request would nearly fill the context window. */
export function isNearlyFull(
  { contextWindow, system, tools }: CompactionContext,
  messages: readonly Message[],
): boolean {
  if (contextWindow === undefined) return false;
  return requestTokens({ system, tools, messages }) > contextWindow * COMPACTION_THRESHOLD;
}

/** Shortens a conversation because the user wants it. Nothing to shorten is reported, and is not a failure. */
export async function compactOnRequest(
  turn: CompactionContext,
  input: ShortenInput,
): Promise<{ readonly messages: readonly Message[]; readonly outcome: TurnOutcome }> {
  const { emit } = turn;
  const result = await shorten(turn, input);
  if (result.kind === "nothing-to-shorten") {
    emit({ type: "notice", message: describeFailure(result) });
  }
  const outcome = outcomeOf(result);
  emit({ type: "turn-end", outcome });
  return { messages: result.kind === "shortened" ? result.messages : input.messages, outcome };
}

interface ShortenInput {
  readonly messages: readonly Message[];
  /** What the user wants the summary to keep. */
  readonly instructions?: string | undefined;
}

type Shortened =
  | { readonly kind: "shortened"; readonly messages: readonly Message[] }
  | { readonly kind: "nothing-to-shorten" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

function describeFailure(shortened: Exclude<Shortened, { readonly kind: "shortened" }>): string {
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

/** The share of the context window that is kept as it is at the end of the conversation. */
const KEPT_SHARE = 0.15;
/** The share of the summarizing model's window that the rest of the conversation may fill. */
const SUMMARIZED_SHARE = 0.6;
/** Assumed for a model whose window is not known. */
const DEFAULT_WINDOW_TOKENS = 100_000;

/** Replaces all but the end of a conversation by a summary. The prompt before it does not change. */
async function shorten(turn: CompactionContext, input: ShortenInput): Promise<Shortened> {
  const { messages, instructions } = input;
  const { contextWindow = DEFAULT_WINDOW_TOKENS } = turn;
  const plan =
    planCompaction(messages, Math.floor(contextWindow * KEPT_SHARE)) ?? planCompaction(messages, 0);
  if (plan === undefined || plan.older.length < 2) return { kind: "nothing-to-shorten" };
  const summary = await summarize(turn, { messages: plan.older, instructions });
  if (summary.kind !== "summary") return summary;
  const shorter = replaceWithSummary(summary.text, plan.kept);
  turn.emit({
    type: "compacted",
    messages: shorter,
    beforeTokens: conversationTokens(messages),
    afterTokens: conversationTokens(shorter),
  });
  return { kind: "shortened", messages: shorter };
}

type Summary =
  | { readonly kind: "summary"; readonly text: string }
  | Extract<Shortened, { kind: "interrupted" | "failed" }>;

async function summarize(
  turn: CompactionContext,
  { messages, instructions }: ShortenInput,
): Promise<Summary> {
  const model = withModelName((await turn.openSummarizer?.()) ?? turn);
  const { modelName, plainSummaries = false, contextWindow = DEFAULT_WINDOW_TOKENS } = model;
  if (plainSummaries) return { kind: "summary", text: plainSummary(messages) };
  const transcript = renderTranscript(messages, Math.floor(contextWindow * SUMMARIZED_SHARE));
  const reply = await askModel(
    {
      ...turn,
      ...model,
      system: SUMMARY_SYSTEM_PROMPT,
      tools: [],
      markCache: undefined,
      // The summary itself is not shown. What it costs, and why it takes long, is.
      emit: (event) => {
        if (event.type === "usage" || event.type === "retry") turn.emit(event);
      },
    },
    [{ role: "user", text: renderSummaryRequest(transcript, instructions) }],
  );
  if (reply.kind === "interrupted") return { kind: "interrupted" };
  if (reply.kind === "failed") return { kind: "failed", failure: reply.failure };
  const text = reply.answer.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("");
  if (text.trim() !== "") return { kind: "summary", text };
  const message = `${modelName} returned an empty summary, so the conversation was not shortened.`;
  return { kind: "failed", failure: { code: "garbage", message, isTransient: false } };
}
