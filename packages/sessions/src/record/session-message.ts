import type { JsonObject } from "./json-value.ts";

/** One message of a conversation as plain data, in the shape of `@caliban/agent-core`. */
export type SessionMessage = SessionUserMessage | SessionAssistantMessage | SessionToolMessage;

export interface SessionUserMessage {
  readonly role: "user";
  readonly text: string;
  /** What the program added for the model after the user's text. */
  readonly note?: string | undefined;
  /** What was attached to the message; not the user's own words. */
  readonly attachments?: readonly SessionAttachment[] | undefined;
}

export type SessionAttachment = SessionTextAttachment | SessionImageAttachment;

export interface SessionTextAttachment {
  readonly type: "text";
  readonly path: string;
  readonly text: string;
  /** Such as `120 lines`. */
  readonly size: string;
  /** The tool that read it. */
  readonly tool: string;
}

export interface SessionImageAttachment {
  readonly type: "image";
  readonly name: string;
  readonly image: SessionImage;
}

export interface SessionImage {
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  /** Base64. Empty when it cannot be restored. */
  readonly data: string;
}

export interface SessionAssistantMessage {
  readonly role: "assistant";
  /** The `provider/model` that wrote it. */
  readonly model: string;
  readonly parts: readonly SessionPart[];
  readonly usage?: SessionUsage | undefined;
  /** Why it is incomplete, if it is. */
  readonly cut?: "interrupted" | "failed" | "length" | undefined;
}

export interface SessionToolMessage {
  readonly role: "tool";
  readonly results: readonly SessionToolResult[];
}

export type SessionPart = SessionTextPart | SessionReasoningPart | SessionToolCall;

export interface SessionTextPart {
  readonly type: "text";
  readonly text: string;
  readonly metadata?: SessionMetadata | undefined;
}

export interface SessionReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly metadata?: SessionMetadata | undefined;
}

export interface SessionToolCall {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** As the model sent it, unchecked. */
  readonly input: unknown;
  readonly metadata?: SessionMetadata | undefined;
}

export interface SessionToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  readonly images?: readonly SessionImage[] | undefined;
  /** What a screen shows besides the text. */
  readonly facts?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** Tokens of one request. */
export interface SessionUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** What a provider needs back with a part, by provider name. */
export type SessionMetadata = Record<string, JsonObject>;
