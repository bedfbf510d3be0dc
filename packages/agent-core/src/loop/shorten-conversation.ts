import type { Message } from "../message.ts";
import { askModel, type ModelRequest } from "../model/ask-model.ts";
import type { ModelFailure } from "../model/model-failure.ts";
import {
  planCompaction,
  renderSummaryRequest,
  replaceWithSummary,
  SUMMARY_SYSTEM_PROMPT,
} from "../prompt/compaction.ts";
import { conversationTokens } from "../prompt/message-tokens.ts";
import { plainSummary } from "../prompt/plain-summary.ts";
import { renderTranscript } from "../prompt/render-transcript.ts";

export interface ShortenInput {
  /** How to reach the model. Its prompt and tools are not used. */
  readonly request: ModelRequest;
  readonly messages: readonly Message[];
  readonly windowTokens: number;
  /** The context window of the model that summarizes, which may be a smaller one. */
  readonly summaryWindowTokens: number;
  /** What the user wants the summary to keep. */
  readonly instructions?: string | undefined;
  /** Summarizes without asking the model. */
  readonly isPlain?: boolean | undefined;
}

/** A shorter conversation, or why there is none. */
export type Shortened =
  | {
      readonly kind: "shortened";
      readonly messages: readonly Message[];
      readonly beforeTokens: number;
      readonly afterTokens: number;
    }
  | { readonly kind: "nothing-to-shorten" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

/** The share of the context window that is kept as it is at the end of the conversation. */
const KEPT_SHARE = 0.15;
/** The share of the summarizing model's window that the rest of the conversation may fill. */
const SUMMARIZED_SHARE = 0.6;

/** Replaces all but the end of a conversation by a summary. The prompt before it does not change. */
export async function shortenConversation(input: ShortenInput): Promise<Shortened> {
  const { messages, windowTokens } = input;
  const plan =
    planCompaction(messages, Math.floor(windowTokens * KEPT_SHARE)) ?? planCompaction(messages, 0);
  if (plan === undefined || plan.older.length < 2) return { kind: "nothing-to-shorten" };
  const summary = await summarize(input, plan.older);
  if (summary.kind !== "summary") return summary;
  const shorter = replaceWithSummary(summary.text, plan.kept);
  return {
    kind: "shortened",
    messages: shorter,
    beforeTokens: conversationTokens(messages),
    afterTokens: conversationTokens(shorter),
  };
}

type Summary =
  | { readonly kind: "summary"; readonly text: string }
  | Extract<Shortened, { kind: "interrupted" | "failed" }>;

async function summarize(
  { request, summaryWindowTokens, instructions, isPlain = false }: ShortenInput,
  older: readonly Message[],
): Promise<Summary> {
  if (isPlain) return { kind: "summary", text: plainSummary(older) };
  const transcript = renderTranscript(older, Math.floor(summaryWindowTokens * SUMMARIZED_SHARE));
  const reply = await askModel(
    {
      ...request,
      system: SUMMARY_SYSTEM_PROMPT,
      tools: [],
      markCache: undefined,
      // The summary itself is not shown. What it costs, and why it takes long, is.
      emit: (event) => {
        if (event.type === "usage" || event.type === "retry") request.emit(event);
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
  const message = `${request.modelName} returned an empty summary, so the conversation was not shortened.`;
  return { kind: "failed", failure: { code: "garbage", message, isTransient: false } };
}
