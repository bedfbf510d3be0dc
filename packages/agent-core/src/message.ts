import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";

/** One entry of a conversation as plain data: it can be stored, read back and sent to any model. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: "user";
  readonly text: string;
  /** What the program adds for the model behind the person's words, such as a summary of what was before. */
  readonly note?: string | undefined;
}

export interface AssistantMessage {
  readonly role: "assistant";
  /** `provider/model` that wrote it: thoughts and signatures of one model mean nothing to another. */
  readonly model: string;
  readonly parts: readonly AssistantPart[];
  readonly usage?: Usage | undefined;
  /** Why it ends before its end, when it does. */
  readonly cut?: "interrupted" | "failed" | "length" | undefined;
}

export interface ToolMessage {
  readonly role: "tool";
  /** In the order of the calls they answer. */
  readonly results: readonly ToolCallResult[];
}

export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly metadata?: SharedV4ProviderMetadata | undefined;
}

/** A thought of the model. It is sent back to the same model only. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly metadata?: SharedV4ProviderMetadata | undefined;
}

export interface ToolCallPart {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** As the model gave it, unchecked; a text when it was no JSON. */
  readonly input: unknown;
  readonly metadata?: SharedV4ProviderMetadata | undefined;
}

export interface ToolCallResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

/** Tokens of one request or of several. */
export interface Usage {
  /** All that went in, from the cache or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}
