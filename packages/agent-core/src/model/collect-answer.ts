import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { AssistantPart, ToolCallPart, Usage } from "../message.ts";
import type { ModelEvent } from "./model-event.ts";
import { NO_USAGE, toUsage } from "./usage.ts";

/** An answer, as far as it has arrived. */
export interface Answer {
  readonly parts: readonly AssistantPart[];
  readonly usage: Usage;
  /** `undefined` until the model reports that it has finished. */
  readonly finishReason: LanguageModelV4FinishReason["unified"] | undefined;
}

export interface AnswerCollector {
  /** Adds one part of the stream and returns the event it causes, if any. */
  readonly add: (part: LanguageModelV4StreamPart) => ModelEvent | undefined;
  readonly answer: () => Answer;
}

interface OpenPart {
  readonly type: "text" | "reasoning";
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
}

/** Assembles the parts of a stream in the order in which they started. An error in the stream is rethrown unchanged. */
export function createAnswerCollector(): AnswerCollector {
  const parts: (OpenPart | ToolCallPart)[] = [];
  const open = new Map<string, OpenPart>();
  let usage = NO_USAGE;
  let finishReason: Answer["finishReason"];

  const start = (type: OpenPart["type"], id: string): OpenPart => {
    const part: OpenPart = { type, text: "", metadata: undefined };
    open.set(`${type} ${id}`, part);
    parts.push(part);
    return part;
  };
  const append = (type: OpenPart["type"], { id, delta = "", providerMetadata }: Delta): void => {
    const part = open.get(`${type} ${id}`) ?? start(type, id);
    part.text += delta;
    part.metadata = providerMetadata ?? part.metadata;
  };

  const addPiece = (part: Piece): ModelEvent | undefined => {
    const kind = PART_TYPES[part.type];
    if (part.type === "text-start" || part.type === "reasoning-start") start(kind, part.id);
    append(kind, part);
    if (part.type !== "text-delta" && part.type !== "reasoning-delta") return undefined;
    return part.delta === "" ? undefined : { type: part.type, text: part.delta };
  };

  return {
    add: (part) => {
      if (isPiece(part)) return addPiece(part);
      if (part.type === "tool-call") parts.push(toToolCall(part));
      // Unchanged: the reader of the stream classifies it.
      if (part.type === "error") throw part.error;
      if (part.type !== "finish") return undefined;
      usage = toUsage(part.usage);
      finishReason = part.finishReason.unified;
      return { type: "usage", usage };
    },
    answer: () => ({ parts: parts.flatMap(finishPart), usage, finishReason }),
  };
}

interface Delta {
  readonly id: string;
  readonly delta?: string;
  readonly providerMetadata?: SharedV4ProviderMetadata;
}

const PART_TYPES = {
  "text-start": "text",
  "text-delta": "text",
  "text-end": "text",
  "reasoning-start": "reasoning",
  "reasoning-delta": "reasoning",
  "reasoning-end": "reasoning",
} as const;

type Piece = Extract<LanguageModelV4StreamPart, { readonly type: keyof typeof PART_TYPES }>;

function isPiece(part: LanguageModelV4StreamPart): part is Piece {
  return Object.hasOwn(PART_TYPES, part.type);
}

/** Drops empty parts. Empty reasoning stays if it carries a signature. */
function finishPart(part: OpenPart | AssistantPart): readonly AssistantPart[] {
  if (part.type === "tool-call") return [part];
  const { type, text, metadata } = part;
  if (text === "" && (type === "text" || metadata === undefined)) return [];
  return [metadata === undefined ? { type, text } : { type, text, metadata }];
}

function toToolCall(
  part: LanguageModelV4StreamPart & { readonly type: "tool-call" },
): ToolCallPart {
  const { toolCallId: id, toolName: name, providerMetadata: metadata } = part;
  const call = { type: "tool-call", id, name, input: parseInput(part.input) } as const;
  return metadata === undefined ? call : { ...call, metadata };
}

/** No tool needs more, and deeper input cannot be serialized again. */
const MAX_INPUT_DEPTH = 100;

/**
 * Parses the input of a call. An empty text means no arguments. Input that is not a JSON object, or is nested too deeply,
 * stays a string, and the model is told about it.
 */
function parseInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const input: unknown = JSON.parse(text);
    const isUsable =
      typeof input === "object" && input !== null && !isDeeperThan(input, MAX_INPUT_DEPTH);
    return isUsable ? input : text;
  } catch (error) {
    // Not JSON, or nested too deeply to be parsed.
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    return text;
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
