import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { AgentEvent } from "../loop/agent-event.ts";
import type { AssistantPart, Usage } from "../message.ts";
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

  const addPiece = (part: Piece): AgentEvent | undefined => {
    const kind = KIND_OF[part.type];
    if (part.type === "text-start" || part.type === "reasoning-start") begin(kind, part.id);
    grow(kind, part);
    if (part.type !== "text-delta" && part.type !== "reasoning-delta") return undefined;
    return part.delta === "" ? undefined : { type: part.type, text: part.delta };
  };

  return {
    add: (part) => {
      if (isPiece(part)) return addPiece(part);
      if (part.type === "tool-call") parts.push(toolCall(part));
      // As it is: whoever reads the stream tells what it means.
      if (part.type === "error") throw part.error;
      if (part.type !== "finish") return undefined;
      usage = usageOf(part.usage);
      finishReason = part.finishReason.unified;
      return { type: "usage", usage };
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

type Piece = Extract<LanguageModelV4StreamPart, { readonly type: keyof typeof KIND_OF }>;

function isPiece(part: LanguageModelV4StreamPart): part is Piece {
  return Object.hasOwn(KIND_OF, part.type);
}

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

/** No tool takes more, and what is deeper cannot be written down again. */
const DEEPEST_INPUT = 100;

/**
 * A call without arguments may come as an empty text. What is no object, or one that is nested too deeply, stays a text,
 * for the model to be told.
 */
function parsedInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const input: unknown = JSON.parse(text);
    const isUsable = typeof input === "object" && input !== null && !isDeeper(input, DEEPEST_INPUT);
    return isUsable ? input : text;
  } catch (error) {
    // Not JSON, or too deep even to be read.
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    return text;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
