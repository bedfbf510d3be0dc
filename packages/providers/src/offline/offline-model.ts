import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import {
  type CommandMessage,
  estimateTokens,
  shellCommand,
  spellCommands,
  type SpellCommand,
  terminalSafe,
} from "@caliban/common";
import { ask } from "./ask.ts";
import { forget, forgetChosen } from "./forget.ts";
import { readIntent } from "./intent.ts";
import { list } from "./list.ts";
import { INTRODUCTION } from "./messages.ts";
import { remember } from "./remember.ts";
import { METADATA_KEY, type Move, readTurn, say, type Turn } from "./turn.ts";

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
    doGenerate: async (request) => ({ ...answer(request, command), warnings: [] }),
    doStream: async (request) => {
      const { content, ...end } = answer(request, command);
      const parts: readonly LanguageModelV4StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap(streamParts),
        { type: "finish", ...end },
      ];
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

type Content = LanguageModelV4Text | LanguageModelV4ToolCall;

interface Answer {
  readonly content: Content[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
}

function answer(
  { prompt, tools = [], abortSignal }: LanguageModelV4CallOptions,
  command: SpellCommand,
): Answer {
  abortSignal?.throwIfAborted();
  const functions = tools.filter((tool) => tool.type === "function");
  const turn = readTurn(prompt, functions);
  const next = nextMove(turn);
  const move = next.kind === "say" ? { ...next, text: spelled(next.text, command) } : next;
  return {
    content: contentOf(move, turn),
    finishReason: { unified: move.kind === "say" ? "stop" : "tool-calls", raw: undefined },
    usage: usageOf(prompt, JSON.stringify(move)),
  };
}

/** A move whose text is spelled. */
type SpelledMove =
  | Exclude<Move, { readonly kind: "say" }>
  | (Extract<Move, { readonly kind: "say" }> & { readonly text: string });

/** What the offline model does next. A message may answer our own question, even if it reads as a new request. */
function nextMove(turn: Turn): Move {
  const intent = readIntent(turn.message);
  switch (intent.kind) {
    case "remember":
      return remember(intent.fact, turn);
    case "forget":
      return forgetChosen(intent.about, turn) ?? forget(intent.about, turn);
    case "ask":
      return ask(intent, turn);
    case "list":
      return list(turn);
    case "other":
      return forgetChosen(turn.message, turn) ?? say(INTRODUCTION);
  }
}

function contentOf(move: SpelledMove, { allSteps }: Turn): Content[] {
  if (move.kind === "call") {
    const numbers = allSteps.map(({ id }) => Number(/^offline-(\d+)$/.exec(id)?.[1] ?? 0));
    const lastCall = Math.max(0, ...numbers);
    return move.calls.map(({ name, input }, index) => ({
      type: "tool-call",
      // Unique in the conversation.
      toolCallId: `offline-${lastCall + index + 1}`,
      toolName: name,
      input: JSON.stringify(input),
    }));
  }
  const { text, choices } = move;
  if (choices === undefined) return [{ type: "text", text }];
  // Stored with the answer and sent back with the next prompt.
  const providerMetadata = { [METADATA_KEY]: { choices: [...choices] } };
  return [{ type: "text", text, providerMetadata }];
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

function streamParts(part: Content): readonly LanguageModelV4StreamPart[] {
  if (part.type === "text") {
    const { text, ...end } = part;
    const deltas = text.match(/\s*\S+\s*/g) ?? [];
    return [
      { type: "text-start", id: "0" },
      ...deltas.map((delta) => ({ type: "text-delta", id: "0", delta }) as const),
      { ...end, type: "text-end", id: "0" },
    ];
  }
  const { toolCallId: id, toolName, input } = part;
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: input },
    { type: "tool-input-end", id },
    part,
  ];
}
