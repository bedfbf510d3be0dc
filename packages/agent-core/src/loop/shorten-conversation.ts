import {
  askModel,
  replaceWithSummary,
  conversationTokens,
  type Message,
  type ModelFailure,
  type ModelRequest,
  planCompaction,
  renderTranscript,
  SUMMARY_SYSTEM_PROMPT,
  renderSummaryRequest,
} from "@caliban/agent-core";
import { plainSummary } from "../prompt/plain-summary.ts";

export interface ShortenInput {
  /** How the model is reached; its prompt and tools are not used. */
  readonly request: ModelRequest;
  readonly messages: readonly Message[];
  readonly windowTokens: number;
  /** The window of the model that sums up, which may be a smaller one. */
  readonly summaryTokens: number;
  /** What the person wants the summary to keep. */
  readonly wish?: string | undefined;
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

/** Of the window: what stays as it is at the end, and what of the rest a summary is made from. */
const KEPT = 0.15;
const SUMMED_UP = 0.6;

/** Puts a summary in the place of all but the end of a conversation. The prompt before it is not touched. */
export async function shortenConversation(input: ShortenInput): Promise<Shortened> {
  const { messages, windowTokens } = input;
  const plan =
    planCompaction(messages, Math.floor(windowTokens * KEPT)) ?? planCompaction(messages, 0);
  if (plan === undefined || plan.older.length < 2) return { kind: "nothing-to-shorten" };
  const summed = await sumUp(input, plan.older);
  if (summed.kind !== "summary") return summed;
  const shorter = replaceWithSummary(summed.text, plan.kept);
  return {
    kind: "shortened",
    messages: shorter,
    beforeTokens: conversationTokens(messages),
    afterTokens: conversationTokens(shorter),
  };
}

type Summed =
  | { readonly kind: "summary"; readonly text: string }
  | Extract<Shortened, { kind: "interrupted" | "failed" }>;

async function sumUp(
  { request, summaryTokens, wish }: ShortenInput,
  older: readonly Message[],
): Promise<Summed> {
  if (request.model.provider === "offline") return { kind: "summary", text: plainSummary(older) };
  const transcript = renderTranscript(older, Math.floor(summaryTokens * SUMMED_UP));
  const asked = await askModel(
    {
      ...request,
      system: SUMMARY_SYSTEM_PROMPT,
      tools: [],
      markCache: undefined,
      // The summary itself is not for the screen; what it costs, and why it takes long, is.
      emit: (event) => {
        if (event.type === "usage" || event.type === "retry") request.emit(event);
      },
    },
    [{ role: "user", text: renderSummaryRequest(transcript, wish) }],
  );
  if (asked.kind === "interrupted") return { kind: "interrupted" };
  if (asked.kind === "failed") return { kind: "failed", failure: asked.failure };
  const text = asked.answer.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("");
  if (text.trim() !== "") return { kind: "summary", text };
  const sentence = `${request.modelName} gave no summary, so the conversation stays as it is.`;
  return { kind: "failed", failure: { code: "garbage", message: sentence, isTransient: false } };
}
