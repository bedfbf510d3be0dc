import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import {
  type CommandMessage,
  estimateTokens,
  shellCommand,
  spellCommands,
  type SpellCommand,
  terminalSafe,
} from "@caliban/common";
import { nextMove } from "./next-move.ts";
import { METADATA_KEY, type Move, readTurn } from "./turn.ts";

/**
 * The model that answers when no key is set. It runs in this process, gives the same answer to the same prompt, and says
 * that it is not a language model. It uses the real tools, permissions and sessions.
 */
export function createOfflineModel(command: SpellCommand = shellCommand): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "offline",
    modelId: "rehearsal",
    supportedUrls: {},
    doGenerate: async (request) => {
      const answered = answer(request, command);
      const { move, usage } = answered;
      const content =
        move.kind === "say"
          ? [{ type: "text" as const, text: move.text, ...metadataOf(move) }]
          : streamParts(answered).filter((part) => part.type === "tool-call");
      return { content, finishReason: finishReasonOf(move), usage, warnings: [] };
    },
    doStream: async (request) => {
      const parts = streamParts(answer(request, command));
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

/** A move whose text is spelled. */
type SpelledMove = Exclude<Move, { readonly kind: "say" }> | SpelledText;
type SpelledText = Extract<Move, { readonly kind: "say" }> & { readonly text: string };

interface Answer {
  readonly move: SpelledMove;
  readonly usage: LanguageModelV4Usage;
  /** One for each call, unique in the conversation. */
  readonly callIds: readonly string[];
}

function answer(
  { prompt, tools = [], abortSignal }: LanguageModelV4CallOptions,
  command: SpellCommand,
): Answer {
  abortSignal?.throwIfAborted();
  const turn = readTurn(prompt, new Set(tools.map(({ name }) => name)));
  const next = nextMove(turn);
  const move = next.kind === "say" ? { ...next, text: spelled(next.text, command) } : next;
  const calls = move.kind === "call" ? move.calls : [];
  const lastId = Math.max(
    0,
    ...turn.allSteps.map(({ id }) => Number(/^offline-(\d+)$/.exec(id)?.[1] ?? 0)),
  );
  const callIds = calls.map((_, index) => `offline-${lastId + index + 1}`);
  return { move, callIds, usage: usageOf(prompt, JSON.stringify(move)) };
}

/** Topics may contain anything, and answers are printed to a terminal. */
function spelled(text: string | CommandMessage, command: SpellCommand): string {
  return terminalSafe(typeof text === "string" ? text : spellCommands(text, command));
}

function usageOf(prompt: LanguageModelV4Prompt, output: string): LanguageModelV4Usage {
  // The data that the agent attaches to results would not be sent to a provider.
  const sent = JSON.stringify(prompt, (key, value: unknown) =>
    key === "providerOptions" ? undefined : value,
  );
  const inputTokens = estimateTokens(sent);
  const outputTokens = estimateTokens(output);
  return {
    inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
  };
}

function finishReasonOf({ kind }: SpelledMove): LanguageModelV4FinishReason {
  return { unified: kind === "say" ? "stop" : "tool-calls", raw: undefined };
}

function streamParts({ move, usage, callIds }: Answer): readonly LanguageModelV4StreamPart[] {
  const content =
    move.kind === "say"
      ? textParts(move)
      : move.calls.flatMap(({ name, input }, index) =>
          callParts(callIds[index] ?? "", name, JSON.stringify(input)),
        );
  return [
    { type: "stream-start", warnings: [] },
    ...content,
    { type: "finish", finishReason: finishReasonOf(move), usage },
  ];
}

function textParts(move: SpelledText): readonly LanguageModelV4StreamPart[] {
  const id = "0";
  const words = move.text.match(/\s*\S+\s*/g) ?? [];
  return [
    { type: "text-start", id },
    ...words.map((delta) => ({ type: "text-delta", id, delta }) as const),
    { type: "text-end", id, ...metadataOf(move) },
  ];
}

/** Stored with the answer and sent back with the next prompt. */
function metadataOf({ choices }: SpelledText): {
  readonly providerMetadata?: SharedV4ProviderMetadata;
} {
  if (choices === undefined) return {};
  return { providerMetadata: { [METADATA_KEY]: { choices: [...choices] } } };
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
