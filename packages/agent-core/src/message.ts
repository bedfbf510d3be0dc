import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";

/** One entry of a conversation as plain data: it can be stored, read back and sent to any model. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: "user";
  readonly text: string;
  /** Text that the program adds for the model after the user's own, such as recalled memory. */
  readonly note?: string | undefined;
  /** Files and images that the text names. They are data of others, never words of the user. */
  readonly attachments?: readonly Attachment[] | undefined;
}

export type Attachment = TextAttachment | ImageAttachment;

/** The content of a file, or the listing of a directory, as a tool returned it. */
export interface TextAttachment {
  readonly type: "text";
  readonly path: string;
  readonly text: string;
  /** What the user sees about its size, such as `120 lines`. */
  readonly size: string;
  /** The tool that read it. */
  readonly tool: string;
}

export interface ImageAttachment {
  readonly type: "image";
  /** A path, or what represents the image in the text. */
  readonly name: string;
  readonly image: Image;
}

export interface Image {
  /** Such as `image/png`. */
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
  /** Base64. Empty for an image that could not be read back. */
  readonly data: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  /** The `provider/model` that wrote it. Reasoning and signatures are only valid for that model. */
  readonly model: string;
  readonly parts: readonly AssistantPart[];
  readonly usage?: Usage | undefined;
  /** The reason why the message is incomplete, if it is. */
  readonly cut?: "interrupted" | "failed" | "length" | undefined;
}

export interface ToolMessage {
  readonly role: "tool";
  /** In the order of the calls they belong to. */
  readonly results: readonly ToolCallResult[];
}

export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly metadata?: SharedV4ProviderMetadata | undefined;
}

/** The model's reasoning. It is only sent back to the model that wrote it. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly metadata?: SharedV4ProviderMetadata | undefined;
}

export interface ToolCallPart {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** As the model sent it, not validated. A string if it was not a JSON object. */
  readonly input: unknown;
  readonly metadata?: SharedV4ProviderMetadata | undefined;
}

export interface ToolCallResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  /** Images that a model sees besides the text, if it accepts any. */
  readonly images?: readonly Image[] | undefined;
  /** For screens only: a model gets the text. */
  readonly facts?: ResultFacts | undefined;
}

/** What a screen shows about a result besides its text: small values from its data, and how long the call took. */
export type ResultFacts = Readonly<Record<string, string | number | boolean>>;

/** Tokens used by one or more requests. */
export interface Usage {
  /** All input tokens, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}
