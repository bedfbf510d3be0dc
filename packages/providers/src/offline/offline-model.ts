import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { estimateTokens, terminalSafe } from "@caliban/common";
import { readPromptFacts } from "./prompt-facts.ts";
import type { Move } from "./move.ts";
import { nextMove } from "./next-move.ts";

/**
 * The model that answers when there is no key: it runs in this process, always answers the same to the same, and says
 * that it is no language model. Tools, permissions and sessions are the real ones.
 */
export function createOfflineModel(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "offline",
    modelId: "rehearsal",
    supportedUrls: {},
    doGenerate: async (request) => {
      const { move, usage, callIds } = answer(request);
      const finishReason = finishReasonOf(move);
      if (move.kind === "say") {
        return { content: [{ type: "text", text: move.text }], finishReason, usage, warnings: [] };
      }
      const content = move.calls.map(({ name, input }, index) => ({
        type: "tool-call" as const,
        toolCallId: callIds[index] ?? "",
        toolName: name,
        input: JSON.stringify(input),
      }));
      return { content, finishReason, usage, warnings: [] };
    },
    doStream: async (request) => {
      const parts = streamParts(answer(request));
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
}

interface Answered {
  readonly move: Move;
  readonly usage: LanguageModelV4Usage;
  /** One for each call, unlike any other of the conversation. */
  readonly callIds: readonly string[];
}

function answer({ prompt, tools = [], abortSignal }: LanguageModelV4CallOptions): Answered {
  abortSignal?.throwIfAborted();
  const facts = readPromptFacts(prompt, new Set(tools.map(({ name }) => name)));
  const next = nextMove(facts);
  // Notes may hold anything, and what is said goes to a terminal.
  const move: Move = next.kind === "say" ? { ...next, text: terminalSafe(next.text) } : next;
  const calls = move.kind === "call" ? move.calls : [];
  const before = Math.max(
    0,
    ...facts.allSteps.map(({ id }) => Number(/^offline-(\d+)$/.exec(id)?.[1] ?? 0)),
  );
  const callIds = calls.map((_, index) => `offline-${before + index + 1}`);
  return { move, callIds, usage: usageOf(JSON.stringify(prompt), JSON.stringify(move)) };
}

function usageOf(prompt: string, output: string): LanguageModelV4Usage {
  const input = estimateTokens(prompt);
  const written = estimateTokens(output);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: written, text: written, reasoning: 0 },
  };
}

function finishReasonOf({ kind }: Move): LanguageModelV4FinishReason {
  return { unified: kind === "say" ? "stop" : "tool-calls", raw: undefined };
}

function streamParts({ move, usage, callIds }: Answered): readonly LanguageModelV4StreamPart[] {
  const content =
    move.kind === "say"
      ? textParts(move.text)
      : move.calls.flatMap(({ name, input }, index) =>
          callParts(callIds[index] ?? "", name, JSON.stringify(input)),
        );
  return [
    { type: "stream-start", warnings: [] },
    ...content,
    { type: "finish", finishReason: finishReasonOf(move), usage },
  ];
}

function textParts(text: string): readonly LanguageModelV4StreamPart[] {
  const id = "0";
  const words = text.match(/\s*\S+\s*/g) ?? [];
  return [
    { type: "text-start", id },
    ...words.map((delta) => ({ type: "text-delta", id, delta }) as const),
    { type: "text-end", id },
  ];
}

function callParts(
  id: string,
  toolName: string,
  input: string,
): readonly LanguageModelV4StreamPart[] {
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName, input },
  ];
}
