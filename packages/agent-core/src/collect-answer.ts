import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { AgentEvent } from "./agent-event.ts";
import type { AssistantPart, Usage } from "./message.ts";
import { NO_USAGE, usageOf } from "./usage.ts";

/** What has come of an answer so far. */
export interface Answer {
  readonly parts: readonly AssistantPart[];
  readonly usage: Usage;
  /** `undefined` until the model says that it is at its end. */
  readonly finishReason: LanguageModelV4FinishReason["unified"] | undefined;
}

export interface AnswerCollector {
  /** Takes one part of the stream; what it means to a screen comes back. */
  readonly add: (part: LanguageModelV4StreamPart) => AgentEvent | undefined;
  readonly answer: () => Answer;
}

interface OpenPart {
  readonly type: "text" | "reasoning";
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
}

/**
 * Puts the parts of a stream together in the order in which they began. An error in the stream is thrown as it is.
 */
export function createAnswerCollector(): AnswerCollector {
  const parts: (OpenPart | (AssistantPart & { readonly type: "tool-call" }))[] = [];
  const open = new Map<string, OpenPart>();
  let usage = NO_USAGE;
  let finishReason: Answer["finishReason"];

  const begin = (type: OpenPart["type"], id: string): OpenPart => {
    const part: OpenPart = { type, text: "", metadata: undefined };
    open.set(`${type} ${id}`, part);
    parts.push(part);
    return part;
  };
  const grow = (type: OpenPart["type"], { id, delta = "", providerMetadata }: Delta): void => {
    const part = open.get(`${type} ${id}`) ?? begin(type, id);
    part.text += delta;
    part.metadata = providerMetadata ?? part.metadata;
  };

  return {
    add: (part) => {
      switch (part.type) {
        case "text-start":
        case "reasoning-start":
          begin(KIND_OF[part.type], part.id).metadata = part.providerMetadata;
          return undefined;
        case "text-delta":
        case "reasoning-delta":
          grow(KIND_OF[part.type], part);
          return part.delta === "" ? undefined : { type: part.type, text: part.delta };
        case "text-end":
        case "reasoning-end":
          grow(KIND_OF[part.type], part);
          open.delete(`${KIND_OF[part.type]} ${part.id}`);
          return undefined;
        case "tool-call":
          parts.push(toolCall(part));
          return undefined;
        case "finish":
          usage = usageOf(part.usage);
          finishReason = part.finishReason.unified;
          return { type: "usage", usage };
        case "error":
          throw part.error;
        default:
          return undefined;
      }
    },
    answer: () => ({ parts: parts.flatMap(closedPart), usage, finishReason }),
  };
}

interface Delta {
  readonly id: string;
  readonly delta?: string;
  readonly providerMetadata?: SharedV4ProviderMetadata;
}

const KIND_OF = {
  "text-start": "text",
  "text-delta": "text",
  "text-end": "text",
  "reasoning-start": "reasoning",
  "reasoning-delta": "reasoning",
  "reasoning-end": "reasoning",
} as const;

/** A text without words says nothing; a thought without words may still carry a signature. */
function closedPart(part: OpenPart | AssistantPart): readonly AssistantPart[] {
  if (part.type === "tool-call") return [part];
  const { type, text, metadata } = part;
  if (text === "" && (type === "text" || metadata === undefined)) return [];
  return [metadata === undefined ? { type, text } : { type, text, metadata }];
}

function toolCall(
  part: LanguageModelV4StreamPart & { readonly type: "tool-call" },
): AssistantPart & { readonly type: "tool-call" } {
  const { toolCallId: id, toolName: name, providerMetadata: metadata } = part;
  const call = { type: "tool-call", id, name, input: parsedInput(part.input) } as const;
  return metadata === undefined ? call : { ...call, metadata };
}

/** A call without arguments may come as an empty text. What is no JSON stays a text, for the model to be told. */
function parsedInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === "object" && input !== null ? input : text;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}
