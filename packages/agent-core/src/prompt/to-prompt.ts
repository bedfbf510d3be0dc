import {
  isJSONObject,
  type LanguageModelV4FilePart,
  type LanguageModelV4Message,
  type LanguageModelV4Prompt,
  type LanguageModelV4ReasoningPart,
  type LanguageModelV4TextPart,
  type LanguageModelV4ToolCallPart,
  type LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type {
  AssistantMessage,
  AssistantPart,
  Image,
  Message,
  ToolCallResult,
  ToolMessage,
  UserMessage,
} from "../message.ts";
import { renderAttachment, renderImageLabel } from "./render-attachment.ts";

export interface ToPromptInput {
  /** The complete system prompt. */
  readonly system: string;
  readonly messages: readonly Message[];
  /** The `provider/model` that will read the prompt. */
  readonly modelName: string;
  /** Whether it accepts images; true when left out. Otherwise a line represents each image. */
  readonly acceptsImages?: boolean | undefined;
  /**
   * The `data` of tool results by call id. It becomes `providerOptions.caliban` of the result, which only a model that
   * runs in this process reads; other providers ignore it.
   */
  readonly toolData?: ReadonlyMap<string, unknown> | undefined;
}

/** Converts a conversation into a prompt for the AI SDK. The same conversation always gives the same prompt. */
export function toPrompt(input: ToPromptInput): LanguageModelV4Prompt {
  const { system, messages } = input;
  const head: LanguageModelV4Message[] = system === "" ? [] : [{ role: "system", content: system }];
  return [...head, ...messages.flatMap((message) => toModelMessage(message, input))];
}

function toModelMessage(message: Message, input: ToPromptInput): readonly LanguageModelV4Message[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: userContent(message, input) }];
    case "assistant":
      return assistantMessage(message, input.modelName);
    case "tool":
      return toolMessages(message, input);
  }
}

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

function userContent(
  { text, note, attachments = [] }: UserMessage,
  input: ToPromptInput,
): UserPart[] {
  const parts = attachments.flatMap((attachment): readonly UserPart[] => {
    const label = textPart(renderAttachment(attachment, canSend(attachment, input)));
    if (attachment.type === "text") return label;
    return [...label, ...imageParts(attachment.image, input)];
  });
  return [...textPart(text), ...parts, ...textPart(note)];
}

function canSend(
  attachment: NonNullable<UserMessage["attachments"]>[number],
  input: ToPromptInput,
): boolean {
  return attachment.type === "image" && imageParts(attachment.image, input).length > 0;
}

function imageParts(
  { mediaType, data }: Image,
  { acceptsImages = true }: ToPromptInput,
): readonly LanguageModelV4FilePart[] {
  if (!acceptsImages || data === "") return [];
  return [{ type: "file", mediaType, data: { type: "data", data } }];
}

/** Images follow the results as a message of their own, because not every provider accepts them in a result. */
function toolMessages(
  { results }: ToolMessage,
  input: ToPromptInput,
): readonly LanguageModelV4Message[] {
  const content = results.map((result) => toolResult(result, input.toolData?.get(result.id)));
  const images = results.flatMap(({ name, images: found = [] }) =>
    found.flatMap((image): readonly UserPart[] => {
      const parts = imageParts(image, input);
      const label = renderImageLabel(`result of ${name}`, image, parts.length > 0);
      return [...textPart(label), ...parts];
    }),
  );
  const shown: readonly LanguageModelV4Message[] =
    images.length === 0 ? [] : [{ role: "user", content: images }];
  return [{ role: "tool", content }, ...shown];
}

function textPart(text: string | undefined): readonly LanguageModelV4TextPart[] {
  return text === undefined || text === "" ? [] : [{ type: "text", text }];
}

function toolResult(
  { id, name, text, isError }: ToolCallResult,
  data: unknown,
): LanguageModelV4ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: { type: isError ? "error-text" : "text", value: text },
    ...(isJSONObject(data) ? { providerOptions: { caliban: data } } : {}),
  };
}

/** Leaves out another model's reasoning: its signature is not valid for this model's provider. */
function assistantMessage(
  { parts, model }: AssistantMessage,
  modelName: string,
): readonly LanguageModelV4Message[] {
  const isOwn = model === modelName;
  const content = parts.flatMap((part) => modelPart(part, isOwn));
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

type ModelPart =
  | LanguageModelV4TextPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ToolCallPart;

function modelPart(part: AssistantPart, isOwn: boolean): readonly ModelPart[] {
  const providerOptions =
    isOwn && part.metadata !== undefined ? { providerOptions: part.metadata } : {};
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text, ...providerOptions }];
    case "reasoning":
      return isOwn ? [{ type: "reasoning", text: part.text, ...providerOptions }] : [];
    case "tool-call": {
      const { id: toolCallId, name: toolName } = part;
      // Providers only accept objects. The model still sees what it wrote instead.
      const input = typeof part.input === "string" ? { unreadable: part.input } : part.input;
      return [{ type: "tool-call", toolCallId, toolName, input, ...providerOptions }];
    }
  }
}
